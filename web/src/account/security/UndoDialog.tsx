import { routes, type SecurityNotice } from '@nolo/api';
import { queryKeys } from '../../api/queries.ts';
import { refreshSelf } from '../../session/self.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';
import { useTexts } from '../../i18n/texts.ts';
import { securityTexts } from './securityTexts.ts';

/** Explains what "This wasn't me" does before doing it. */
export function UndoDialog({ notice, onClose }: { notice: SecurityNotice | null; onClose: () => void }) {
  const { t } = useTexts(securityTexts);
  const undo = useAction(routes.undoNotice, {
    invalidates: [queryKeys.securityNotices, queryKeys.identities, queryKeys.sessions],
    failure: t('security:undoFailed'),
    onDone: () => {
      toast({ kind: 'success', title: t('security:undoDone'), description: t('security:undoDoneText') });
      refreshSelf().catch(() => {});
    },
  });
  return (
    <ConfirmDialog
      open={notice !== null}
      onCancel={onClose}
      title={t('security:undoTitle')}
      text={t('security:undoText')}
      confirmLabel={t('security:undo')}
      onConfirm={async () => {
        // If a proof is needed first, the dialog stays open.
        if (notice !== null && (await undo.run({ params: { id: notice.id } }))) onClose();
      }}
    />
  );
}
