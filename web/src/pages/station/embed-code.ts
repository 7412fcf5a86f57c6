/** An element for a page elsewhere. A name can hold anything, so it is written as an attribute must be. */
export const embedCode = (origin: string, guideId: string, name: string): string =>
  `<iframe src="${origin}/embed/${guideId}" width="360" height="98" style="border:0" title="${escaped(name)}"></iframe>`;

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
