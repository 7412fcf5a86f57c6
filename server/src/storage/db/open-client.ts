import { Client } from 'pg';

/**
 * A connection outside of the pool, for a command or a job that holds one for long. When the server ends it, what is asked next fails;
 * pg would also end the process, where nobody listens for that.
 */
export async function openClient(databaseUrl: string, name: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl, application_name: name });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
