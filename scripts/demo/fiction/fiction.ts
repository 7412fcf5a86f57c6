/** A fictional station of the demo, with its schedule and shows. */
export interface FictionalStation {
  /** Identifies the station: no real one can have it. */
  homepage: string;
  /** Its weekly schedule, in a file beside this one. */
  week: string;
  /** Its shows with topics, the newest first. */
  shows: Readonly<Record<string, readonly string[]>>;
  songs: readonly Song[];
}

export interface Song {
  artist: string;
  title: string;
}

export const FICTION: readonly FictionalStation[] = [
  {
    homepage: 'http://harbourfolk.example.net/',
    week: 'harbour-folk.csv',
    shows: {
      'The Morning Boat': ['The Bridge Opens', 'A Boat without a Name', 'Three Winters', 'First Ferry'],
      'Kitchen Session': ['Salt and Rosin', 'Four at the Table', 'No Second Take'],
      'Harbour Desk': ['What the Lighthouse Saw', 'Who Owns the Quay', 'Nets and Numbers'],
    },
    songs: [
      { artist: 'The Slipway Duo', title: 'First Light' },
      { artist: 'Nuala Strand', title: 'The Ferryman’s Daughter' },
      { artist: 'Tarred Rope', title: 'Last Bus to the Strand' },
    ],
  },
  {
    homepage: 'http://townfm979.example.net/',
    week: 'town-fm.csv',
    shows: {
      'The Open Line': ['Who Moved the Market', 'A Bus for Everyone', 'The River Rises'],
      'Terrace Talk': ['One Nil at the Gasworks', 'Rain Stopped Play'],
    },
    songs: [
      { artist: 'Paper Weather', title: 'Headlines' },
      { artist: 'The Night Desk', title: 'Hold the Front Page' },
    ],
  },
];
