import Supercluster from 'supercluster';
import type { Points } from './points.ts';
import { MAX_ZOOM, type Size, type View, WORLD_PIXELS, scaleOf } from './view.ts';
import { type WorldPoint, latitudeOf, longitudeOf, worldPoint } from './world.ts';

/** One light on the map: a place, or several that are too close to be told apart. */
export interface Mark extends WorldPoint {
  /** How many stations it stands for. */
  count: number;
  /** The most popular of them. */
  best: number;
  /** Undefined if it combines several places. */
  site: number | undefined;
  /** The zoom at which it splits; undefined for a single place. */
  splitsAt: () => number | undefined;
}

interface Sum {
  count: number;
  best: number;
}

const NEAREST_PIXELS = 20;
/** Zoomed out, the world is clearer in many small lights than in few large ones. */
const FINER_BY = 0.9;
/** Collects the marks of a view. */
export class Marks {
  readonly #tree: Supercluster<Sum & { site: number }, Sum>;

  constructor({ sites }: Points) {
    this.#tree = new Supercluster({
      radius: NEAREST_PIXELS,
      extent: WORLD_PIXELS,
      maxZoom: MAX_ZOOM - 1,
      map: ({ count, best }) => ({ count, best }),
      reduce: (sum, { count, best }) => {
        sum.count += count;
        sum.best = Math.min(sum.best, best);
      },
    });
    this.#tree.load(
      Array.from({ length: sites.count }, (_none, site) => ({
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [sites.longitude[site]!, sites.latitude[site]!] },
        properties: {
          site,
          count: sites.starts[site + 1]! - sites.starts[site]!,
          best: sites.stations[sites.starts[site]!]!,
        },
      })),
    );
  }

  within({ x, y, zoom }: View, { width, height }: Size): Mark[] {
    const [halfWidth, halfHeight] = [width / 2 / scaleOf(zoom), height / 2 / scaleOf(zoom)];
    const isAllRound = halfWidth >= 0.5;
    const box: [west: number, south: number, east: number, north: number] = [
      isAllRound ? -180 : longitudeOf(x - halfWidth),
      latitudeOf(y + halfHeight),
      isAllRound ? 180 : longitudeOf(x + halfWidth),
      latitudeOf(y - halfHeight),
    ];
    const level = Math.min(MAX_ZOOM, Math.max(0, Math.round(zoom + FINER_BY)));
    return this.#tree.getClusters(box, level).map(({ geometry, properties }) => {
      const [longitude = 0, latitude = 0] = geometry.coordinates;
      const { count, best } = properties;
      const point = worldPoint(longitude, latitude);
      if ('cluster_id' in properties) {
        const { cluster_id: cluster } = properties;
        return {
          ...point,
          count,
          best,
          site: undefined,
          splitsAt: () => this.#tree.getClusterExpansionZoom(cluster),
        };
      }
      return {
        ...point,
        count,
        best,
        site: 'site' in properties ? properties.site : undefined,
        splitsAt: () => undefined,
      };
    });
  }
}
