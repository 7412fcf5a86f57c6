import { type ReactNode, useState } from 'react';
import { changeAccount } from '../../session/calls/account-calls.ts';
import { noSuchPlace } from '../../session/calls/api.ts';
import type { Place } from '../../session/calls/place-calls.ts';
import { placeChoice, writePlace } from '../../session/forms/place-choice.ts';
import { PlaceField } from '../../session/forms/PlaceField.tsx';
import { useDoing } from '../../session/forms/use-doing.ts';
import { useFaultWords } from '../../session/forms/use-fault-words.ts';
import { type SiteAccount, useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { SettingForm } from './Setting.tsx';

export function PlaceSetting({ account }: { account: SiteAccount }): ReactNode {
  const { t, language } = useWords();
  const { refresh } = useSession();
  const known = account.place ? writePlace(account.place, language) : '';
  const [text, setText] = useState(known);
  const [chosen, setChosen] = useState<Place>();
  const doing = useDoing();
  const save = async (): Promise<void> => {
    const place = placeChoice(text, chosen);
    if (!place) throw noSuchPlace();
    await changeAccount({ place });
    await refresh();
    setChosen(undefined);
  };
  return (
    <SettingForm
      title={t('settings.place')}
      text={t('settings.placeText')}
      doing={doing}
      save={save}
      isSingle
      fields={['place']}
      isChanged={chosen !== undefined || (text !== known && text.trim() !== '')}
    >
      <PlaceField
        text={text}
        fault={useFaultWords(doing.error).of('place')}
        onChange={(typed, place) => {
          setText(typed);
          setChosen(place);
        }}
      />
    </SettingForm>
  );
}
