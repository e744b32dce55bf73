import { Eye, EyeOff, Printer } from 'lucide-react';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { TextField } from '../ui/TextField.tsx';
import { CheckWordsDialog } from './CheckWordsDialog.tsx';
import { choosePositions } from './model/recoveryWords.ts';
import { keysTexts } from './keysTexts.ts';
import { useKeysAction } from './useKeys.ts';

interface RecoveryDialogProps {
  /** True if words are set, which are needed to replace them. */
  renews: boolean;
  onClose: () => void;
}

type Step =
  | { readonly name: 'why' | 'current' | 'done' }
  | { readonly name: 'words' | 'check'; readonly words: readonly string[] };

/** Creates recovery words, or replaces them: why, the words, three of them again. They count after the last step. */
export function RecoveryDialog({ renews, onClose }: RecoveryDialogProps) {
  const { t } = useTexts(keysTexts);
  const [step, setStep] = useState<Step>({ name: renews ? 'current' : 'why' });
  const [current, setCurrent] = useState<string>();
  const create = useKeysAction((keys) => keys.createRecoveryWords(), {
    failure: t('keys:recovery.failed'),
    onDone: (words) => setStep({ name: 'words', words }),
  });
  const set = useKeysAction((keys) => keys.setRecovery(current), {
    failure: t('keys:recovery.failed'),
    onDone: () => setStep({ name: 'done' }),
  });
  switch (step.name) {
    case 'current':
      return (
        <CheckWordsDialog
          title={t('keys:words.currentTitle')}
          submitLabel={t('keys:recovery.next')}
          onClose={onClose}
          onChecked={async (words) => {
            setCurrent(words);
            await create.run();
          }}
        />
      );
    case 'why':
      return (
        <Dialog
          open
          textOnly
          onOpenChange={(open) => open || onClose()}
          title={t('keys:recovery.createTitle')}
          description={t('keys:recovery.text')}
          footer={
            <>
              <Button kind="secondary" onClick={onClose}>
                {t('common.cancel')}
              </Button>
              <Button busy={create.busy} onClick={() => void create.run()}>
                {t('keys:recovery.next')}
              </Button>
            </>
          }
        >
          <p className="text-14">{t('keys:recovery.without')}</p>
        </Dialog>
      );
    case 'words':
      return (
        <NewWords words={step.words} onClose={onClose} onNext={() => setStep({ name: 'check', words: step.words })} />
      );
    case 'check':
      return (
        <CheckWords
          words={step.words}
          onBack={() => setStep({ name: 'words', words: step.words })}
          onChecked={() => set.run()}
        />
      );
    case 'done':
      return (
        <Dialog
          open
          onOpenChange={(open) => open || onClose()}
          title={t('keys:recovery.doneTitle')}
          description={t('keys:recovery.doneText')}
          footer={<Button onClick={onClose}>{t('keys:link.done')}</Button>}
        />
      );
  }
}

interface NewWordsProps {
  words: readonly string[];
  onClose: () => void;
  onNext: () => void;
}

/** Shows the words in two columns, hidden until the user is ready, and prints them. */
function NewWords({ words, onClose, onNext }: NewWordsProps) {
  const { t } = useTexts(keysTexts);
  const [shown, setShown] = useState(false);
  const [seen, setSeen] = useState(false);
  return (
    <Dialog
      open
      role="alert"
      onOpenChange={(open) => open || onClose()}
      title={t('keys:recovery.wordsTitle')}
      description={t('keys:recovery.wordsText')}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button disabled={!seen} onClick={onNext}>
            {t('keys:recovery.next')}
          </Button>
        </>
      }
    >
      <div data-printed>
        <p className="hidden text-20 font-semibold print:block">{t('keys:recovery.printTitle')}</p>
        <ol
          dir="ltr"
          aria-label={shown ? t('keys:words.label') : t('keys:recovery.hidden')}
          className="grid grid-flow-col grid-rows-12 gap-x-6 gap-y-1 rounded-card bg-sunken p-4"
        >
          {words.map((word, index) => (
            <li key={`${index} ${word}`} className="flex min-h-6 items-baseline gap-2 text-14">
              <span className="tabular w-6 shrink-0 text-end text-muted">{index + 1}</span>
              <span data-word className="font-semibold tracking-wide select-text">
                {shown ? word : <span aria-hidden="true">••••••</span>}
              </span>
            </li>
          ))}
        </ol>
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          kind="secondary"
          size="small"
          icon={shown ? <EyeOff /> : <Eye />}
          onClick={() => {
            setShown(!shown);
            setSeen(true);
          }}
        >
          {t(shown ? 'keys:recovery.hide' : 'keys:recovery.show')}
        </Button>
        {shown && (
          <Button kind="secondary" size="small" icon={<Printer />} onClick={() => window.print()}>
            {t('keys:recovery.print')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

interface CheckWordsProps {
  words: readonly string[];
  onBack: () => void;
  onChecked: () => Promise<unknown>;
}

/** Asks for three of the words, which shows that they were written down. */
function CheckWords({ words, onBack, onChecked }: CheckWordsProps) {
  const { t } = useTexts(keysTexts);
  const [positions] = useState(() => choosePositions());
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({});
  const [tried, setTried] = useState(false);
  const wordAt = (position: number): string => (typed[position] ?? '').trim().toLowerCase();
  const isRight = (position: number): boolean => wordAt(position) === words[position];
  const errorAt = (position: number): string | null => {
    if (!tried || isRight(position)) return null;
    return t(wordAt(position) === '' ? 'keys:recovery.wordMissing' : 'keys:recovery.wordWrong', {
      number: position + 1,
    });
  };
  return (
    <FormDialog
      safe
      waits
      title={t('keys:recovery.checkTitle')}
      description={t('keys:recovery.checkText')}
      submitLabel={t('keys:recovery.save')}
      back={{ label: t('keys:setUp.back'), onSelect: onBack }}
      onClose={onBack}
      onSubmit={async () => {
        setTried(true);
        if (positions.every(isRight)) await onChecked();
      }}
    >
      {positions.map((position, index) => (
        <TextField
          key={position}
          autoFocus={index === 0}
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          label={t('keys:recovery.word', { number: position + 1 })}
          error={errorAt(position)}
          value={typed[position] ?? ''}
          onChange={(event) => setTyped({ ...typed, [position]: event.target.value })}
        />
      ))}
    </FormDialog>
  );
}
