import { type RefObject, useEffect, useRef, useState } from 'react';

/** Whether an element has come into view, so that what is off screen is not requested. */
export function useSeen<T extends Element>(): [ref: RefObject<T | null>, isSeen: boolean] {
  const ref = useRef<T>(null);
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const { current } = ref;
    if (!current || isSeen) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
      },
      { rootMargin: '200px' },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isSeen]);
  return [ref, isSeen];
}
