/** An address that nothing of ours connects to, with the reason; not worth another try as it is. */
export class UnsafeAddress extends Error {
  override name = 'UnsafeAddress';
}
