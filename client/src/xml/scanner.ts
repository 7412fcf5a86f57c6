import { XmlError } from './characters.ts';

/** A place in a text, moved forward by patterns. */
export class Scanner {
  readonly text: string;
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isDone(): boolean {
    return this.position >= this.text.length;
  }

  startsWith(text: string): boolean {
    return this.text.startsWith(text, this.position);
  }

  /** What a sticky pattern matches here, and moves past it. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.text);
    if (match) this.position = pattern.lastIndex;
    return match ?? undefined;
  }

  need(pattern: RegExp, what: string): RegExpExecArray {
    return this.take(pattern) ?? this.fail(`expected ${what}`);
  }

  fail(message: string): never {
    const before = this.text.slice(0, this.position);
    const line = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n');
    throw new XmlError(`line ${line}, column ${column}: ${message}`);
  }
}
