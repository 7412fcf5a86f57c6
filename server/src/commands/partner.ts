import { parseArgs } from 'node:util';
import { openContext } from '../context.ts';
import { addPartner, listPartners } from '../members/partners.ts';
import { UsageError, type Command } from './command.ts';

export const partnerCommand: Command = {
  usage: ['partner add ID --name NAME [--contact TEXT]', 'partner list'],
  summary: 'the makers of devices and apps that call',
  async run(args, config) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { name: { type: 'string' }, contact: { type: 'string' } },
    });
    const [action, id] = positionals;
    await using context = openContext(config, { name: 'partner' });
    if (action === 'list') return list(context.pool);
    if (action !== 'add' || id === undefined) throw new UsageError('say add or list');
    const added = await addPartner(context.pool, {
      id,
      name: values.name ?? id,
      contact: values.contact ?? null,
    });
    console.log(added ? `partner ${id} is registered` : `partner ${id} is there already`);
  },
};

async function list(pool: Parameters<typeof listPartners>[0]): Promise<void> {
  for (const { id, name, state } of await listPartners(pool)) console.log(`${id}\t${state}\t${name}`);
}
