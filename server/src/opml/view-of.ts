let last: DataView = new DataView(new ArrayBuffer(0));

/** A view of all the memory that the bytes lie in. Answers are made in the same memory again and again, and so is this. */
export function viewOf({ buffer }: Buffer): DataView {
  if (last.buffer !== buffer) last = new DataView(buffer);
  return last;
}
