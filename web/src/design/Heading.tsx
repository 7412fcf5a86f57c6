import type { ReactNode } from 'react';

export type Level = 1 | 2 | 3;

export function Heading({
  level,
  children,
  ...rest
}: {
  level: Level;
  children: ReactNode;
  id?: string;
  className?: string;
}): ReactNode {
  const Tag = `h${level}` as const;
  return <Tag {...rest}>{children}</Tag>;
}
