import type { DirectoryAnswer } from './answer.ts';
import { type Described, type Outline, toOutline } from './outline.ts';
import { parseXml, type XmlElement } from './xml/parse.ts';

/** The answer that an OPML document holds; throws an XmlError for what is none. */
export function readXml(text: string): DirectoryAnswer {
  const { children } = parseXml(text);
  const head = children.find(({ name }) => name === 'head');
  const body = children.find(({ name }) => name === 'body');
  const said = (name: string): string | undefined =>
    head?.children.find((child) => child.name === name)?.text;
  return {
    status: Number(said('status')),
    title: said('title'),
    fault: said('fault'),
    faultCode: said('fault_code'),
    outlines: outlinesIn(body),
  };
}

const outlinesIn = (element: XmlElement | undefined): Outline[] =>
  element?.children.filter(({ name }) => name === 'outline').map(readOutline) ?? [];

function readOutline(element: XmlElement): Outline {
  const object = element.children.find(({ name }) => name !== 'outline');
  return toOutline(Object.fromEntries(element.attributes), outlinesIn(element), object && readObject(object));
}

const readObject = ({ name, children }: XmlElement): Described => ({
  kind: name,
  fields: Object.fromEntries(children.map((field) => [field.name, field.text])),
});
