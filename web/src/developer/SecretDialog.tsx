import { useRef } from 'react';
import { useCopy } from '../shell/useCopy.ts';
import { Button } from '../ui/Button.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { useTexts } from '../i18n/texts.ts';
import { developerTexts } from './developerTexts.ts';
import { webhooksTexts } from './webhooks/webhooksTexts.ts';

interface SecretDialogProps {
  secret: string;
  /** Namespace of the texts. Default: those for tokens. */
  words?: 'developer' | 'webhooks';
  onClose: () => void;
}

/** Shows a secret once. An outside press does not close it. */
export function SecretDialog({ secret, words = 'developer', onClose }: SecretDialogProps) {
  const { t } = useTexts(developerTexts, webhooksTexts);
  const translate = (key: keyof typeof developerTexts.english.secret) =>
    t(words === 'webhooks' ? `webhooks:secret.${key}` : `developer:secret.${key}`);
  const copyButton = useRef<HTMLButtonElement>(null);
  const copy = useCopy();
  return (
    <Dialog
      open
      role="alert"
      onOpenChange={(open) => open || onClose()}
      initialFocus={() => copyButton.current}
      title={translate('title')}
      description={translate('text')}
      footer={<Button onClick={onClose}>{translate('done')}</Button>}
    >
      <CopyField
        ref={copyButton}
        label={translate('label')}
        copyLabel={translate('copy')}
        value={secret}
        onCopy={() => void copy(secret, translate('copied'))}
      />
    </Dialog>
  );
}
