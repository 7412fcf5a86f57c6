import { readOpmlList } from '../../formats/opml-list/parse.ts';
import type { Bytes } from '../../formats/plain-bytes.ts';
import type { ListItem } from './listed-show.ts';

/** Subscriptions as podcast players export them; the folders around a show are read as categories. */
export async function* readOpmlShows(bytes: Bytes): AsyncGenerator<ListItem> {
  for await (const { address, name, image, groups, attributes } of readOpmlList(bytes)) {
    yield {
      show: {
        // `url` of a subscription is its page, where both are given.
        feedAddress: attributes.get('xmlurl') || address,
        title: name,
        homepage: attributes.get('htmlurl'),
        description: attributes.get('description'),
        language: attributes.get('language'),
        image: image ?? attributes.get('imageurl'),
        categories: [...(attributes.get('category')?.split(/[,/]/) ?? []), ...groups.toReversed()],
      },
    };
  }
}
