import { useRef } from 'react';
import { Button } from '../ui/Button.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { toast } from '../ui/toasts.ts';
import { useDeveloperWords } from './useDeveloperWords.ts';

interface SecretDialogProps {
  secret: string;
  /** Whose words it is told with; a token's unless told. */
  words?: 'developer' | 'webhooks';
  onClose: () => void;
}

/** Shows a secret that is not shown again; a press outside does not close it. */
export function SecretDialog({ secret, words = 'developer', onClose }: SecretDialogProps) {
  const { t } = useDeveloperWords();
  const copyButton = useRef<HTMLButtonElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      toast({ kind: 'success', title: t(`${words}.secret.copied`) });
    } catch {
      toast({ kind: 'error', title: t(`${words}.secret.copyFailed`) });
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
      title={t(`${words}.secret.title`)}
      description={t(`${words}.secret.text`)}
      footer={<Button onClick={onClose}>{t(`${words}.secret.done`)}</Button>}
    >
      <CopyField
        ref={copyButton}
        label={t(`${words}.secret.label`)}
        copyLabel={t(`${words}.secret.copy`)}
        value={secret}
        onCopy={() => void copy()}
      />
    </Dialog>
  );
}
