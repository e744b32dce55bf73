import { useTexts } from '../i18n/texts.ts';
import { TextArea } from '../ui/TextArea.tsx';
import { keysTexts } from './keysTexts.ts';
import { readWords } from './model/recoveryWords.ts';

interface WordsFieldProps {
  typed: string;
  onChange: (typed: string) => void;
  error?: string | null;
}

/** Field for all recovery words. No browser or keyboard shall learn them. */
export function WordsField({ typed, onChange, error }: WordsFieldProps) {
  const { t } = useTexts(keysTexts);
  return (
    <TextArea
      autoFocus
      dir="ltr"
      rows={4}
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      label={t('keys:words.label')}
      hint={t('keys:words.count', { count: readWords(typed).length })}
      error={error}
      value={typed}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
