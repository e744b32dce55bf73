import type { NewerList } from '@nolo/client/keys/types';
import { useId, useState, type ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { FailureAlert } from '../ui/FailureAlert.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { isWrongWords, newerListOf } from './model/createKeysClient.ts';
import { readWords, wordCount } from './model/recoveryWords.ts';
import { keysTexts } from './keysTexts.ts';
import { useFormerDevice, withFormer } from './useFormerDevice.ts';
import { useKeyDeviceName } from './useKeyDeviceName.ts';
import { useKeysAction, useKeysState } from './useKeys.ts';
import { WordsField } from './WordsField.tsx';

/** Brings this device in by the recovery words. */
export function RestoreForm({ onBack, onDone }: { onBack: () => void; onDone: () => void }) {
  const { t } = useTexts(keysTexts);
  const nameOf = useKeyDeviceName();
  const { state } = useKeysState();
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const [lost, setLost] = useState<readonly string[]>([]);
  const [newer, setNewer] = useState<NewerList>();
  const [setsAside, setSetsAside] = useState(false);
  const meaning = useId();
  const words = readWords(typed);
  const former = useFormerDevice();
  const others = (state?.devices ?? []).filter(({ id, kind }) => id !== former?.id && kind !== 2);
  const recover = useKeysAction(
    (keys) =>
      keys.recover({ words: words.join(' ') }, withFormer(lost, former), setsAside && newer ? newer.id : undefined),
    {
      failure: (error) => {
        const isWrong = isWrongWords(error);
        const asked = newerListOf(error);
        setWrong(isWrong);
        setNewer(asked);
        setSetsAside(false);
        return isWrong || asked ? undefined : t('keys:recovery.restoreFailed');
      },
      onDone,
    },
  );
  return (
    <FormDialog
      title={t('keys:words.restoreTitle')}
      description={t('keys:words.restoreText')}
      submitLabel={t('keys:words.restore')}
      disabled={words.length !== wordCount}
      waits
      onClose={onBack}
      back={{ label: t('keys:setUp.back'), onSelect: onBack }}
      onSubmit={() => recover.run()}
    >
      <WordsField
        typed={typed}
        onChange={(text) => {
          setTyped(text);
          setWrong(false);
        }}
        error={wrong ? t('keys:words.wrong') : null}
      />
      {others.length > 0 && (
        <fieldset>
          <legend className="text-13 font-medium">{t('keys:words.lost')}</legend>
          {others.map(({ id, name }) => (
            <Choice
              key={id}
              checked={lost.includes(id)}
              onChange={(checked) => setLost(checked ? [...lost, id] : lost.filter((one) => one !== id))}
            >
              {nameOf(name)}
            </Choice>
          ))}
        </fieldset>
      )}
      {newer !== undefined && (
        <div>
          <FailureAlert
            failure={{
              title: t('keys:newer.title'),
              description: t('keys:newer.restore', { device: nameOf(newer.deviceName) }),
            }}
          />
          <p id={meaning} className="mt-3 text-13 text-muted">
            {t('keys:newer.meaning')}
          </p>
          <Choice checked={setsAside} onChange={setSetsAside} describedBy={meaning} autoFocus>
            {t('keys:newer.goOn')}
          </Choice>
        </div>
      )}
    </FormDialog>
  );
}

interface ChoiceProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Id of the element that says what the choice means. */
  describedBy?: string;
  /** True for a choice that appears with a question. */
  autoFocus?: boolean;
  children: ReactNode;
}

function Choice({ checked, onChange, describedBy, autoFocus, children }: ChoiceProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 text-14">
      <input
        type="checkbox"
        className="size-4.5 shrink-0 accent-accent"
        checked={checked}
        aria-describedby={describedBy}
        autoFocus={autoFocus}
        onChange={(event) => onChange(event.target.checked)}
      />
      {children}
    </label>
  );
}
