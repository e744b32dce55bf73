import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { withoutParameter } from '../signIn/signInErrors.ts';

/** A link from elsewhere leads to /api/logout: only the person may say that it is what they want. */
export function SignOutQuestion({ onConfirm }: { onConfirm: () => void }) {
  const { t } = useTranslation();
  const location = useLocation();
  const navigate = useNavigate();
  const asked = new URLSearchParams(location.search).has('sign_out');
  const close = () => void navigate(withoutParameter(location, 'sign_out'), { replace: true });
  return (
    <ConfirmDialog
      open={asked}
      onCancel={close}
      title={t('profile.signOutAsked')}
      text={t('profile.signOutAskedText')}
      confirmLabel={t('profile.signOut')}
      onConfirm={async () => {
        close();
        onConfirm();
      }}
    />
  );
}
