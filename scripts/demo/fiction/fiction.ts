/** A made-up station of the demo, and what it sends beside its streams. */
export interface FictionalStation {
  /** By which it is found again: nobody else can have it. */
  homepage: string;
  /** Its week, beside this file. */
  week: string;
  /** Which of its shows can be heard again, with their topics, the newest first. */
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
