import type { SecurityNotice } from '@nolo/api';
import { useRefuseAccountWait } from '../factor/useRefuseAccountWait.ts';
import { Button } from '../../ui/Button.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { securityTexts } from './securityTexts.ts';

interface NoticeActionProps {
  notice: SecurityNotice;
  onDoubt: (notice: SecurityNotice) => void;
  /** True among the notices that need an answer now. */
  urgent?: boolean;
}

/** Action for a notice: refuses a pending account request, or reports that someone else did it. */
export function NoticeAction({ notice, onDoubt, urgent = false }: NoticeActionProps) {
  const { t } = useTexts(securityTexts);
  const refuse = useRefuseAccountWait();
  if (!notice.undoable) return null;
  const isAccountRequest = notice.kind === 'account_asked';
  return (
    <Button
      kind={urgent || isAccountRequest ? 'secondary' : 'quiet'}
      size="small"
      {...((urgent || isAccountRequest) && { className: 'text-danger-text!' })}
      busy={refuse.busy}
      onClick={() => {
        if (isAccountRequest) void refuse.run();
        else onDoubt(notice);
      }}
    >
      {t(isAccountRequest ? 'security:refuse' : 'security:wasNotMe')}
    </Button>
  );
}
