import { useStore } from 'zustand';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { locationWarningStore } from './locationWarning.ts';
import { useTexts } from '../../i18n/texts.ts';
import { mediaTexts } from './mediaTexts.ts';

/** Maximum names shown, so that they can be read quickly. */
const maxNames = 5;

/** Asks before sending files that may reveal where they were created. */
export function LocationWarningDialog() {
  const { t } = useTexts(mediaTexts);
  const question = useStore(locationWarningStore, (state) => state.question);
  if (!question) return null;
  const { names, answer } = question;
  const more = names.length - maxNames;
  return (
    <ConfirmDialog
      open
      danger={false}
      onCancel={() => answer(false)}
      title={t('media:place.title', { count: names.length })}
      text={
        <>
          <span className="block">{t('media:place.text', { count: names.length })}</span>
          {names.slice(0, maxNames).map((name, at) => (
            <bdi key={`${at} ${name}`} className="mt-1 block truncate text-ink">
              {name}
            </bdi>
          ))}
          {more > 0 && <span className="mt-1 block">{t('media:place.more', { count: more })}</span>}
        </>
      }
      confirmLabel={t('media:place.send')}
      onConfirm={async () => answer(true)}
    />
  );
}
