import type { Client, Connection, FieldDef, Submittable } from 'pg';

export interface Description {
  parameterTypes: readonly number[];
  fields: readonly FieldDef[];
}

/** Prepares a statement under its name and asks PostgreSQL what it takes and gives, without running it. */
export function describeStatement(
  client: Client,
  statement: { name: string; text: string },
): Promise<Description> {
  return new Promise((resolve, reject) => client.query(new Describe(statement, resolve, reject)));
}

/** Parse and Describe of the extended protocol; `pg` calls the `handle` methods as the answers arrive. */
class Describe implements Submittable {
  readonly name: string;
  readonly text: string;
  readonly handleError: (error: Error) => void;
  readonly #resolve: (description: Description) => void;
  #parameterTypes: readonly number[] = [];
  #fields: readonly FieldDef[] = [];

  constructor(
    { name, text }: { name: string; text: string },
    resolve: (description: Description) => void,
    reject: (error: Error) => void,
  ) {
    this.name = name;
    this.text = text;
    this.#resolve = resolve;
    this.handleError = reject;
  }

  submit(connection: Connection): void {
    const listen = ({ dataTypeIDs }: { dataTypeIDs: number[] }): void => {
      this.#parameterTypes = dataTypeIDs;
    };
    connection.once('parameterDescription', listen);
    connection.once('readyForQuery', () => connection.off('parameterDescription', listen));
    connection.parse({ name: this.name, text: this.text, types: [] }, true);
    connection.describe({ type: 'S', name: this.name }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#fields = fields;
  }

  handleReadyForQuery(): void {
    this.#resolve({ parameterTypes: this.#parameterTypes, fields: this.#fields });
  }
}
