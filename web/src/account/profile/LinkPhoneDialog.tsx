import { ArrowLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSelf } from '../../session/self.ts';
import { sessionStore } from '../../session/session.ts';
import { toast } from '../../ui/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DemoHint } from '../signIn/DemoHint.tsx';
import { PhoneSteps } from '../signIn/PhoneSteps.tsx';
import { usePhoneVerification } from '../signIn/usePhoneVerification.ts';

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
