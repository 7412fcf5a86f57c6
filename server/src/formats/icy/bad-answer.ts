/** What came is neither HTTP nor ICY, or more of it than anybody needs; the message says which. */
export class BadAnswer extends Error {
  override name = 'BadAnswer';
}
