import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { serverNow } from '../../api/serverClock.ts';
import { Button } from '../../ui/Button.tsx';
import { formatCountdown } from './phoneForm.ts';

export interface ResendCodeButtonProps {
  /** Time at which another code may be requested. */
  resendAt: number;
  busy: boolean;
  disabled: boolean;
  /** True if the present code is no longer valid, so this is now the way forward. */
  prominent: boolean;
  onResend: () => void;
}

/** Requests a new code, with a countdown until that is allowed. Needs `resendAt` as its key. */
export function ResendCodeButton({ resendAt, busy, disabled, prominent, onResend }: ResendCodeButtonProps) {
  const { t } = useTranslation();
  const [now, setNow] = useState(() => serverNow());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(serverNow());
      if (serverNow() >= resendAt) clearInterval(timer);
    }, 1_000);
    return () => clearInterval(timer);
  }, [resendAt]);
  const wait = resendAt - now;
  return (
    <Button
      kind={prominent ? 'secondary' : 'quiet'}
      size="large"
      wide
      className="tabular mt-2"
      busy={busy}
      disabled={disabled || wait > 0}
      onClick={onResend}
    >
      {wait > 0 ? t('phoneForm.resendIn', { time: formatCountdown(wait) }) : t('phoneForm.resend')}
    </Button>
  );
}
