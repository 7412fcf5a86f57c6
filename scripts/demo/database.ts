import { Client } from 'pg';

const hasRows = async (table: string): Promise<boolean> => {
  const client = new Client({ connectionString: process.env['DATABASE_URL'] });
  await client.connect();
  try {
    const { rowCount } = await client.query(`SELECT FROM ${table} LIMIT 1`);
    return (rowCount ?? 0) > 0;
  } finally {
    await client.end();
  }
};

/** Postal codes come last but one in an import of places: where there are some, the places are there. */
export const hasPlaces = (): Promise<boolean> => hasRows('postal_codes');
export const hasStations = (): Promise<boolean> => hasRows('stations');
