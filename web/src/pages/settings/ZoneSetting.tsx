import { type ReactNode, useId, useMemo, useState } from 'react';
import { changeAccount } from '../../session/calls/account-calls.ts';
import { useDoing } from '../../session/forms/use-doing.ts';
import { type SiteAccount, useSession } from '../../session/use-session.ts';
import { useWords } from '../../i18n/use-words.ts';
import { SettingForm } from './Setting.tsx';
import { listZones, writeZone } from './zones.ts';

export function ZoneSetting({ account }: { account: SiteAccount }): ReactNode {
  const { t, language } = useWords();
  const { refresh } = useSession();
  const id = useId();
  const [chosen, setChosen] = useState<string>();
  const zone = chosen ?? account.zone;
  const doing = useDoing();
  const zones = useMemo(() => {
    const now = Date.now();
    return listZones(account.zone).map((each) => [each, writeZone(each, { now, language })] as const);
  }, [account.zone, language]);
  const save = async (): Promise<void> => {
    await changeAccount({ zone });
    await refresh();
    setChosen(undefined);
  };
  return (
    <SettingForm
      title={t('settings.zone')}
      text={t('settings.zoneText')}
      doing={doing}
      save={save}
      isSingle
      isChanged={zone !== account.zone}
    >
      <label htmlFor={id}>{t('settings.zone')}</label>
      <select id={id} value={zone} onChange={({ target }) => setChosen(target.value)}>
        {zones.map(([value, shown]) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    </SettingForm>
  );
}
