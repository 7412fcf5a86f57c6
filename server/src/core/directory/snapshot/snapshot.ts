import type { Verdict } from '../../../lib/failure-code.ts';
import type { Coordinate } from '../../../lib/geo.ts';
import type { RelayPermission } from '../../../storage/catalog/streams/relayed-stream.ts';
import type { FormatMask, StreamFormat } from '../../../lib/stream-format.ts';
import type { HeardAreas } from '../local/heard-areas.ts';
import type { Locations } from '../nearby/locations.ts';

export interface DirectoryStream {
  readonly id: number;
  readonly address: string;
  /** Where a playlist or a redirect leads; undefined when unknown or the same as the address. */
  readonly resolvedAddress: string | undefined;
  readonly format: StreamFormat | undefined;
  readonly playlist: string | undefined;
  readonly bitrate: number;
  readonly reliability: number;
  /** Of the last check; undefined before the first. */
  readonly verdict: Verdict | undefined;
  /** As measured: `HE-AAC`. */
  readonly codec: string | undefined;
  /** Number of redirects on the way to the stream, as far as known. */
  readonly redirects: number;
}

/** Every field is always present, so that all stations have one shape and reading a field stays one load. */
export interface DirectoryStation {
  readonly id: number;
  /** Its index in `Snapshot.stations`. */
  readonly rank: number;
  readonly name: string;
  readonly frequency: string | undefined;
  readonly band: string | undefined;
  readonly slogan: string | undefined;
  readonly callSign: string | undefined;
  readonly description: string | undefined;
  readonly homepage: string | undefined;
  /** An IANA name: `Europe/Berlin`. */
  readonly zone: string | undefined;
  /** What it says about relays. */
  readonly relay: RelayPermission | undefined;
  /** ISO 3166-1: `DE`. */
  readonly countryCode: string | undefined;
  /** The station's own; undefined when only its region's coordinate is known. */
  readonly coordinate: Coordinate | undefined;
  /** The first of `genreIds`. */
  readonly genreId: number | undefined;
  readonly genreName: string | undefined;
  readonly languageName: string | undefined;
  readonly regionId: number | undefined;
  readonly placeName: string | undefined;
  readonly genreIds: readonly number[];
  readonly languageIds: readonly number[];
  readonly affiliateIds: readonly number[];
  readonly popularity: number;
  readonly votes: number;
  readonly clicks: number;
  /** When it was first listed here, in hours since 1970: stations of one import count as added together. */
  readonly addedHour: number;
  /** The highest of the streams'. */
  readonly bitrate: number;
  /** The best of the streams'. */
  readonly reliability: number;
  /** The known formats of the streams. */
  readonly formats: FormatMask;
  readonly hasUnknownFormat: boolean;
  readonly hasLogo: boolean;
  /** Best first: reliability, then bitrate. Never empty. */
  readonly streams: readonly DirectoryStream[];
}

/** The stations of a genre, a region or a language, including those of its descendants. */
export interface StationGroup {
  readonly id: number;
  readonly name: string;
  readonly stationCount: number;
  /** Indexes into `Snapshot.stations`, ascending, and so in order of popularity. */
  readonly ranks: Int32Array;
  /** Formats that any of its stations plays, as in `Snapshot.playable`. */
  readonly playable: FormatMask;
}

export interface DirectoryGenre extends StationGroup {
  readonly slug: string;
  readonly parent: DirectoryGenre | undefined;
  /** In the taxonomy's own order, with or without stations. */
  readonly children: readonly DirectoryGenre[];
}

export const REGION_KINDS = ['root', 'continent', 'country', 'state', 'city'] as const;
export type RegionKind = (typeof REGION_KINDS)[number];

/** Only regions with stations and their ancestors. */
export interface DirectoryRegion extends StationGroup {
  readonly kind: RegionKind;
  /** `country:DE`, `state:DE.04`. */
  readonly code: string;
  readonly coordinate: Coordinate | undefined;
  readonly parent: DirectoryRegion | undefined;
  /** By name. */
  readonly children: readonly DirectoryRegion[];
}

/** A country as accounts refer to it; its stations are in its region. */
interface DirectoryCountry {
  /** ISO 3166-1: `DE`. */
  readonly code: string;
  readonly name: string;
  readonly regionId: number;
}

/** All known languages, as with genres: some have only shows. */
export interface DirectoryLanguage extends StationGroup {
  readonly code: string;
}

/** A network of stations. Networks without stations are left out. */
export interface DirectoryAffiliate extends StationGroup {
  readonly homepage: string | undefined;
}

/** Which stations are one to a listener; `core/directory/groups/families.ts` has the rule. */
export interface Families {
  /** By rank: the rank of the family's most popular station; its own for a station without a family. */
  readonly familyOf: Int32Array;
  /** By the rank of its most popular station: all stations of a family of several, the most popular first. */
  readonly membersOf: ReadonlyMap<number, Int32Array>;
  /** Likewise: the network whose channels the family is. Families of mere copies have none. */
  readonly networkOf: ReadonlyMap<number, DirectoryAffiliate>;
  /** As `familyOf`, with the local editions of a station as well. */
  readonly editionOf: Int32Array;
  /** The ranks of stations that people know by their own name: see `local/broadcasters`. */
  readonly broadcasters: ReadonlySet<number>;
}

/** One immutable state of the directory; a change of the catalogue makes a new one. */
export interface Snapshot {
  /** The version of the catalogue this was read from. */
  readonly version: number;
  /** When the catalogue reached that version; a restored one can repeat an earlier version number. */
  readonly changedAt: Temporal.Instant;
  /** The most popular first, then the older id; a station's index here is its rank. */
  readonly stations: readonly DirectoryStation[];
  readonly streamCount: number;
  /** By rank: the station's formats, plus `UNKNOWN_FORMAT` when the format of one of its streams is unknown. */
  readonly playable: Int32Array;
  /** 0, 1, 2 …: the list of all stations, in the same form as every other list. */
  readonly everyRank: Int32Array;
  readonly stationById: ReadonlyMap<number, DirectoryStation>;
  /** By the id of a station that was merged into another one, that one. */
  readonly mergedById: ReadonlyMap<number, DirectoryStation>;
  readonly genreById: ReadonlyMap<number, DirectoryGenre>;
  /** Genres without a parent, in the taxonomy's own order. */
  readonly topGenres: readonly DirectoryGenre[];
  readonly regionById: ReadonlyMap<number, DirectoryRegion>;
  /** Every country, with or without stations. */
  readonly countryById: ReadonlyMap<number, DirectoryCountry>;
  readonly languageById: ReadonlyMap<number, DirectoryLanguage>;
  /** Those that have stations, by name. */
  readonly languages: readonly DirectoryLanguage[];
  readonly affiliateById: ReadonlyMap<number, DirectoryAffiliate>;
  readonly locations: Locations;
  readonly heardAreas: HeardAreas;
  readonly families: Families;
}

/** Deeper than any tree of genres or regions; also stops at a row that is its own ancestor by mistake. */
const MAX_DEPTH = 16;

interface Child<Node> {
  readonly parent: Node | undefined;
}

/** A node and its ancestors, the node first. */
export function lineageOf<Node extends Child<Node>>(node: Node): Node[] {
  const lineage: Node[] = [];
  for (let next: Node | undefined = node; next && lineage.length < MAX_DEPTH; next = next.parent)
    lineage.push(next);
  return lineage;
}

interface Draft<Node> {
  parent: Node | undefined;
  readonly children: Node[];
}

/** Builds a tree from nodes by id and the rows that name their parents; children are in the order of the rows. */
export function linkTree<Node extends Draft<Node>>(
  rows: readonly { readonly id: number; readonly parent_id: number | null }[],
  nodes: ReadonlyMap<number, Node>,
): void {
  for (const { id, parent_id: parentId } of rows) {
    const node = nodes.get(id);
    const parent = parentId === null ? undefined : nodes.get(parentId);
    if (!node || !parent) continue;
    node.parent = parent;
    parent.children.push(node);
  }
}

const names = new WeakMap<Snapshot, string>();

/** For cache keys that depend on a snapshot. The version alone is not enough: a restored catalogue can repeat one. */
export function snapshotName(snapshot: Snapshot): string {
  return names.getOrInsertComputed(snapshot, makeName);
}

const makeName = ({ version, changedAt }: Snapshot): string => `${version}@${changedAt.toString()}`;
