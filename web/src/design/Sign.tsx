import type { ReactNode } from 'react';

/** The site's icons, in one style: 24 x 24, strokes of 2. */
const SIGNS = {
  play: (
    <path
      d="M8 5.2v13.6a.8.8 0 0 0 1.2.7l10.6-6.8a.8.8 0 0 0 0-1.4L9.2 4.5A.8.8 0 0 0 8 5.2Z"
      fill="currentColor"
      stroke="none"
    />
  ),
  pause: <path d="M7 5h3.5v14H7zM13.5 5H17v14h-3.5z" fill="currentColor" stroke="none" />,
  stop: <rect x="6" y="6" width="12" height="12" rx="1.5" fill="currentColor" stroke="none" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  search: <path d="M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm4.8-1.7L20 20" />,
  volume: <path d="M4 9.5v5h3.5L12 18V6L7.5 9.5H4Zm11.5-1a5 5 0 0 1 0 7m2.6-9.6a9 9 0 0 1 0 12.2" />,
  muted: <path d="M4 9.5v5h3.5L12 18V6L7.5 9.5H4Zm12 .5 4 4m0-4-4 4" />,
  moon: <path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z" />,
  back: <path d="M4 5v5h5M4.6 10A8 8 0 1 1 4 13.5" />,
  forward: <path d="M20 5v5h-5m4.4 0a8 8 0 1 0 .6 3.5" />,
  person: <path d="M12 11.5a3.75 3.75 0 1 0 0-7.5 3.75 3.75 0 0 0 0 7.5ZM4.5 20a7.5 7.5 0 0 1 15 0" />,
  heart: <path d="M12 20S4 15 4 9.2A4.2 4.2 0 0 1 12 7a4.2 4.2 0 0 1 8 2.2C20 15 12 20 12 20Z" />,
  note: (
    <path d="M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Zm10-2a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0Z" />
  ),
  plus: <path d="M12 5v14M5 12h14" />,
  more: <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />,
  code: <path d="m8.5 7-5 5 5 5m7-10 5 5-5 5" />,
  next: <path d="m9.5 5.5 6.5 6.5-6.5 6.5" />,
  up: <path d="m5.5 15 6.5-6.5 6.5 6.5" />,
  skip: <path d="M6 5v14l10-7L6 5Zm12 0v14" />,
  share: <path d="M12 15V4m-4 4 4-4 4 4M5 12v7h14v-7" />,
  bell: <path d="M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15L6 16Zm4 4.5h4" />,
  cast: <path d="M4 9V5h16v14h-6M4 12a7 7 0 0 1 7 7m-7-3.5a3.5 3.5 0 0 1 3.5 3.5M4 19h.01" />,
  radio: (
    <path d="m7 8 10-4.5M4.5 8h15A1.5 1.5 0 0 1 21 9.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 18.5v-9A1.5 1.5 0 0 1 4.5 8ZM8.5 17a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm6-5h3m-3 4h3" />
  ),
  map: <path d="M12 21s7-6 7-11a7 7 0 1 0-14 0c0 5 7 11 7 11Zm0-8.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z" />,
  browse: <path d="M4 6h16M4 12h16M4 18h10" />,
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  queue: <path d="M4 6h16M4 12h9M4 18h9m6-5v8m-4-4h8" />,
  playNext: <path d="M4 18h16M4 12h9m-9-6h5m4 3 3.5-3.5L20 9m-3.5-3v9" />,
  podcasts: (
    <path d="M12 14.5a3 3 0 0 0 3-3v-5a3 3 0 0 0-6 0v5a3 3 0 0 0 3 3Zm-6-3.5v.5a6 6 0 0 0 12 0V11m-6 6.5V21" />
  ),
  home: <path d="m4 11 8-7 8 7v8.5a.5.5 0 0 1-.5.5H15v-6H9v6H4.5a.5.5 0 0 1-.5-.5V11Z" />,
  presets: (
    <path d="M4.5 5h4v4h-4zM10 5h4v4h-4zM15.5 5h4v4h-4zM4.5 15h4v4h-4zM10 15h4v4h-4zM15.5 15h4v4h-4z" />
  ),
} as const;

export type SignName = keyof typeof SIGNS;

/** Never alone: the button or link around it has a text label. */
export function Sign({ name, size = 22 }: { name: SignName; size?: number }): ReactNode {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {SIGNS[name]}
    </svg>
  );
}
