import { routes } from '@nolo/api';
import { call } from '../../api/httpClient.ts';
import { useSelf } from '../../session/self.ts';
import { sessionStore } from '../../session/session.ts';
import { Switch } from '../../ui/Switch.tsx';
import { useAction } from '../../ui/useAction.ts';
import { useTexts } from '../../i18n/texts.ts';
import { rowsTexts } from './rowsTexts.ts';

/** Setting above the archive: keep conversations archived when new messages arrive. */
export function KeepArchivedSwitch() {
  const { t } = useTexts(rowsTexts);
  const self = useSelf();
  const { signedIn } = sessionStore.getState();
  const keeping = useAction(
    (keepArchived: boolean) => {
      signedIn({ ...self, keepArchived });
      return call(routes.updatePrivacy, { body: { keepArchived } }).catch((error: unknown) => {
        signedIn(self);
        throw error;
      });
    },
    { failure: () => ({ title: t('errors.updateProfile') }), onDone: signedIn },
  );
  return (
    <div className="shrink-0 px-4 pb-2">
      <Switch
        label={t('rows:keepArchived')}
        hint={t('rows:keepArchivedText')}
        checked={self.keepArchived}
        onCheckedChange={(checked) => void keeping.run(checked)}
      />
    </div>
  );
}
