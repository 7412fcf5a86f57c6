import { UsageError } from './arguments.ts';
import type { Check, Section } from './check.ts';
import { jsonRules } from './rules/json.ts';
import { lineRules } from './rules/lines.ts';
import { menuRules } from './rules/menus.ts';
import { transportRules } from './rules/transport.ts';
import { account } from './sections/accounts/account.ts';
import { authentication } from './sections/accounts/authentication.ts';
import { browseCategories } from './sections/browse/browse-categories.ts';
import { browseIndex } from './sections/browse/browse-index.ts';
import { browseLanguage } from './sections/browse/browse-language.ts';
import { browseLocal } from './sections/browse/browse-local.ts';
import { browseOthers } from './sections/browse/browse-others.ts';
import { browsePresets } from './sections/browse/browse-presets.ts';
import { browseSchedule } from './sections/browse/browse-schedule.ts';
import { browseStationSection } from './sections/browse/browse-station.ts';
import { describeSection } from './sections/describe.ts';
import { errors } from './sections/every-call/errors.ts';
import { globalParameters } from './sections/every-call/global-parameters.ts';
import { guideIdSection } from './sections/every-call/guide-ids.ts';
import { limits } from './sections/every-call/limits.ts';
import { outlineAttributes } from './sections/every-call/outline-attributes.ts';
import { preset } from './sections/accounts/preset.ts';
import { report } from './sections/report.ts';
import { responseDocument } from './sections/every-call/response-document.ts';
import { searchSection } from './sections/search.ts';
import { service } from './sections/service.ts';
import { playlists, streamFormats } from './sections/every-call/stream-formats.ts';
import { tune } from './sections/tune.ts';
import { versioning } from './sections/every-call/versioning.ts';

const ruleNumber = ({ id }: Check): number => Number(/\d+/.exec(id)?.[0]);

/** The rules that decide whether radios work, in their order. */
const rules: Section = {
  id: 'rules',
  title: 'What radios rely on',
  checks: [...transportRules, ...jsonRules, ...lineRules, ...menuRules].toSorted(
    (a, b) => ruleNumber(a) - ruleNumber(b),
  ),
};

export const SECTIONS: readonly Section[] = [
  service,
  guideIdSection,
  responseDocument,
  outlineAttributes,
  globalParameters,
  streamFormats,
  playlists,
  browseIndex,
  browseLocal,
  browsePresets,
  browseCategories,
  browseLanguage,
  browseStationSection,
  browseSchedule,
  browseOthers,
  tune,
  preset,
  account,
  describeSection,
  report,
  searchSection,
  authentication,
  errors,
  limits,
  versioning,
  rules,
];

/** The sections that were asked for: `4.1`, or `4` for all that start so. All, when none is named. */
export function chooseSections(wanted: readonly string[]): readonly Section[] {
  if (wanted.length === 0) return SECTIONS;
  for (const name of wanted) {
    if (SECTIONS.some(({ id }) => isWithin(id, name))) continue;
    const known = SECTIONS.map(({ id }) => id).join(', ');
    throw new UsageError(`There is no section '${name}'; there are ${known}`);
  }
  return SECTIONS.filter(({ id }) => wanted.some((name) => isWithin(id, name)));
}

const isWithin = (id: string, name: string): boolean => id === name || id.startsWith(`${name}.`);
