import { useWords } from '../../i18n/use-words.ts';
import { fieldOf, wordOfFault } from './fault-words.ts';

export interface FaultWords {
  /** The error of this field, if it has one. */
  of: (field: string) => string | undefined;
  /** The error, if none of these fields shows it. */
  elsewhere: (fields: readonly string[]) => string | undefined;
}

/** The messages for an error, by the field that it is about. */
export function useFaultWords(error: unknown): FaultWords {
  const { t } = useWords();
  const field = fieldOf(error);
  const said = (): string => {
    const word = wordOfFault(error);
    return 'key' in word ? t(word.key) : word.text;
  };
  return {
    of: (name) => (error !== undefined && field === name ? said() : undefined),
    elsewhere: (fields) => (error === undefined || fields.includes(field ?? '') ? undefined : said()),
  };
}
