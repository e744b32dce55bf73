import { ArrowLeft } from 'lucide-react';
import { sessionStore } from '../../session/session.ts';
import { toast } from '../../ui/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useUnsavedWork } from '../../ui/useUnsavedWork.tsx';
import { DemoHint } from '../signIn/DemoHint.tsx';
import { PhoneSteps } from '../signIn/PhoneSteps.tsx';
import { usePhoneVerification } from '../signIn/usePhoneVerification.ts';
import { useTexts } from '../../i18n/texts.ts';
import { phoneFormTexts } from '../signIn/phoneFormTexts.ts';
import { profileTexts } from './profileTexts.ts';
import { securityTexts } from '../security/securityTexts.ts';

interface LinkPhoneOrMailDialogProps {
  /** True for an email address in place of a number. */
  mail?: boolean;
  /** True if the account has one already. */
  changes: boolean;
  onClose: () => void;
}

/** Dialog with the two steps of the phone sign-in, which gives the account a number or an email address. */
export function LinkPhoneOrMailDialog({ mail = false, changes, onClose }: LinkPhoneOrMailDialogProps) {
  const { t } = useTexts(phoneFormTexts, profileTexts, securityTexts);
  const verification = usePhoneVerification({
    purpose: 'link',
    mail,
    onDone: (user) => {
      sessionStore.getState().signedIn(user);
      toast({ kind: 'success', title: t(mail ? 'profile:mailLinked' : 'profile:phoneLinked') });
      onClose();
    },
  });
  const { step, busy } = verification.form;
  const unsaved = useUnsavedWork({ onClose });
  const title = mail
    ? t(changes ? 'security:changeMailTitle' : 'profile:addMail')
    : t(changes ? 'security:changeTitle' : 'profile:linkPhone');
  return (
    <Dialog
      open
      size="small"
      onOpenChange={unsaved.close}
      title={step === 'code' ? t('phoneForm:codeTitle') : title}
      {...(step === 'number' && { description: t(mail ? 'profile:linkMailText' : 'profile:linkPhoneText') })}
    >
      <div {...unsaved.watch}>
        <PhoneSteps
          verification={verification}
          submitLabel={t(mail ? 'profile:linkMail' : 'profile:linkNumber')}
          heading={() => null}
        />
      </div>
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
      {unsaved.question}
    </Dialog>
  );
}
