/** A picture that is not taken, with the reason for a person. */
export class PictureRefused extends Error {
  override name = 'PictureRefused';
}
