import { useWords } from '../words/use-words.ts';
import { fieldOf, wordOfFault } from './fault-words.ts';

export interface FaultWords {
  /** What is wrong with a field, if that is it. */
  of: (field: string) => string | undefined;
  /** What is wrong, when no field of these has it. */
  elsewhere: (fields: readonly string[]) => string | undefined;
}

/** What went wrong, in words, beside the field that it is about. */
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
