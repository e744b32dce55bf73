import { ClipboardPaste } from 'lucide-react';
import { useState } from 'react';
import { browserSupport } from '../device/browserSupport.ts';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/Button.tsx';
import { CodeScanner } from '../ui/CodeScanner.tsx';
import { TextField } from '../ui/TextField.tsx';
import { keysTexts } from './keysTexts.ts';

interface ScanCodeProps {
  /** Explains where to point the camera. */
  text: string;
  /** Label of the field for a code as text. */
  pasteLabel: string;
  pasteHint?: string;
  busy: boolean;
  onCode: (content: string) => void;
}

/** Returns true if a text may be one of our codes: base64url, and no link. */
const isCode = (text: string): boolean => /^[\w-]{40,}$/u.test(text);

/** Takes a code by the camera, or as text for people without one. */
export function ScanCode({ text, pasteLabel, pasteHint, busy, onCode }: ScanCodeProps) {
  const { t } = useTexts(keysTexts);
  const hasCamera = browserSupport.capture();
  const [pasting, setPasting] = useState(!hasCamera);
  const [typed, setTyped] = useState('');
  const [isOther, setOther] = useState(false);
  const take = (code: string): boolean => {
    const content = code.trim();
    setOther(!isCode(content));
    if (!isCode(content)) return false;
    onCode(content);
    return true;
  };
  if (pasting) {
    return (
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          take(typed);
        }}
      >
        <TextField
          autoFocus
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          label={pasteLabel}
          hint={pasteHint}
          error={isOther ? t('keys:scan.other') : null}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setOther(false);
          }}
        />
        <Button type="submit" wide busy={busy} disabled={typed.trim() === ''}>
          {t('keys:add.use')}
        </Button>
      </form>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <p className="text-14 text-muted">{text}</p>
      <CodeScanner starting={t('keys:scan.starting')} failed={t('keys:scan.failed')} onCode={take} />
      <p role="status" className="min-h-5 text-center text-13 text-muted">
        {isOther ? t('keys:scan.other') : ''}
      </p>
      <Button kind="quiet" wide icon={<ClipboardPaste />} onClick={() => setPasting(true)}>
        {t('keys:scan.paste')}
      </Button>
    </div>
  );
}
