import { useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { toast } from '../ui/toasts.ts';
import { isWrongWords } from './model/createKeysClient.ts';
import { readWords, wordCount } from './model/recoveryWords.ts';
import { keysTexts } from './keysTexts.ts';
import { useKeysAction } from './useKeys.ts';
import { WordsField } from './WordsField.tsx';

interface CheckWordsDialogProps {
  title: string;
  submitLabel: string;
  onClose: () => void;
  /** Called with the account's words. */
  onChecked: (words: string) => unknown;
}

/** Asks for the account's recovery words and checks them. */
export function CheckWordsDialog({ title, submitLabel, onClose, onChecked }: CheckWordsDialogProps) {
  const { t } = useTexts(keysTexts);
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const words = readWords(typed);
  const check = useKeysAction((keys) => keys.checkRecoveryWords(words.join(' ')), {
    failure: (error) => {
      setWrong(isWrongWords(error));
      return isWrongWords(error) ? undefined : t('keys:recovery.checkFailed');
    },
  });
  return (
    <FormDialog
      safe
      title={title}
      description={t('keys:words.restoreText')}
      submitLabel={submitLabel}
      disabled={words.length !== wordCount}
      onClose={onClose}
      onSubmit={async () => {
        const checked = await check.run();
        if (checked?.result === true) await onChecked(words.join(' '));
        else if (checked) setWrong(true);
      }}
    >
      <WordsField
        typed={typed}
        onChange={(text) => {
          setTyped(text);
          setWrong(false);
        }}
        error={wrong ? t('keys:words.wrong') : null}
      />
    </FormDialog>
  );
}

/** Lets users check the paper that they kept. */
export function CheckRecoveryDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts(keysTexts);
  return (
    <CheckWordsDialog
      title={t('keys:words.restoreTitle')}
      submitLabel={t('keys:recovery.check')}
      onClose={onClose}
      onChecked={() => {
        toast({ kind: 'success', title: t('keys:recovery.checked') });
        onClose();
      }}
    />
  );
}
