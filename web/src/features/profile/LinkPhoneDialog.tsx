import { ArrowLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSelf } from '../../app/self.ts';
import { sessionStore } from '../../state/session.ts';
import { toast } from '../../state/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DemoHint } from '../auth/DemoHint.tsx';
import { PhoneSteps } from '../auth/PhoneSteps.tsx';
import { usePhoneVerification } from '../auth/usePhoneVerification.ts';

export interface LinkPhoneDialogProps {
  onClose: () => void;
}

/** The two steps of the phone sign-in, for giving the account a number. */
export function LinkPhoneDialog({ onClose }: LinkPhoneDialogProps) {
  const { t } = useTranslation();
  const verification = usePhoneVerification({
    purpose: 'link',
    onDone: (user) => {
      sessionStore.getState().signedIn(user);
      toast({ kind: 'success', title: t('profile.phoneLinked') });
      onClose();
    },
  });
  const { step, busy } = verification.form;
  const changes = useSelf().phoneNumber !== null;
  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={step === 'code' ? t('phoneForm.codeTitle') : t(changes ? 'security.changeTitle' : 'profile.linkPhone')}
      {...(step === 'number' && { description: t('profile.linkPhoneText') })}
    >
      <PhoneSteps verification={verification} submitLabel={t('profile.linkNumber')} heading={() => null} />
      {step === 'code' && (
        <Button
          kind="quiet"
          wide
          className="mt-2"
          icon={<ArrowLeft className="rtl:-scale-x-100" />}
          disabled={busy === 'verifying'}
          onClick={verification.back}
        >
          {t('common.back')}
        </Button>
      )}
      <DemoHint />
    </Dialog>
  );
}
