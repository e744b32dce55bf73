import { useRef } from 'react';
import { Button } from '../ui/Button.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { toast } from '../ui/toasts.ts';
import { useDeveloperWords } from './useDeveloperWords.ts';

/** Shows a secret that is not shown again; a press outside does not close it. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useDeveloperWords();
  const copyButton = useRef<HTMLButtonElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      toast({ kind: 'success', title: t('developer.secret.copied') });
    } catch {
      toast({ kind: 'error', title: t('developer.secret.copyFailed') });
    }
  };
  return (
    <Dialog
      open
      role="alert"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      initialFocus={() => copyButton.current}
      title={t('developer.secret.title')}
      description={t('developer.secret.text')}
      footer={<Button onClick={onClose}>{t('developer.secret.done')}</Button>}
    >
      <CopyField
        ref={copyButton}
        label={t('developer.secret.label')}
        copyLabel={t('developer.secret.copy')}
        value={secret}
        onCopy={() => void copy()}
      />
    </Dialog>
  );
}
