import { SETTINGS } from '../../config.ts';
import { linesOfCertificate } from './certificate.ts';
import type { Check, Patient } from './check.ts';
import { type Finding, broken, note, well } from './finding.ts';

export const settingsCheck: Check = {
  title: 'Settings',
  look: async (patient) => [
    ...readability(patient),
    links(patient),
    ...linesOfCertificate(patient.config, patient.clock),
  ],
};

function readability({ problems }: Patient): Finding[] {
  if (problems.length === 0)
    return [well('readable', `${Object.keys(SETTINGS).length} settings, none malformed`)];
  return problems.map((problem) =>
    broken(
      'readable',
      problem,
      'correct it in the environment, docs/configuration.md; until then nothing starts, and it counts as unset below',
    ),
  );
}

function links({ config: { publicHosts } }: Patient): Finding {
  const [first, ...others] = publicHosts;
  if (first === undefined)
    return note(
      'links',
      'they lead to whatever host a radio asked for, which suits a home and nothing else',
      'on the internet: PUBLIC_HOSTS=radio.example.org',
    );
  return well('links', `lead to ${first}${others.length > 0 ? `, or to ${others.join(', ')}` : ''}`);
}
