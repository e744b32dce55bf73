import { routes } from '@nolo/api';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/httpClient.ts';
import { addWords } from '../../i18n/i18n.ts';
import { useSelf } from '../../session/self.ts';
import { sessionStore } from '../../session/session.ts';
import { Switch } from '../../ui/Switch.tsx';
import { useAction } from '../../ui/useAction.ts';
import { enRows } from './enRows.ts';

/** Setting above the archive: keep conversations archived when new messages arrive. */
export function KeepArchivedSwitch() {
  const { t, i18n } = useTranslation();
  addWords(i18n, 'rows', enRows);
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
        label={t('rows.keepArchived')}
        hint={t('rows.keepArchivedText')}
        checked={self.keepArchived}
        onCheckedChange={(checked) => void keeping.run(checked)}
      />
    </div>
  );
}
