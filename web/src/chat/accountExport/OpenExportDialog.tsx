import { FolderOpen, Save } from 'lucide-react';
import { useRef } from 'react';
import { useExplainFailure } from '../../i18n/useExplainFailure.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { chatExportTexts } from '../chatExport/chatExportTexts.ts';
import { ExportFileError } from './ExportFileError.ts';
import type { AccountExportResult } from './openAccountExport.ts';
import { openExportTexts } from './openExportTexts.ts';
import { useOpenExport, type OpenExportStage } from './useOpenExport.ts';

/** Opens an export of the account on this device. */
export function OpenExportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts(openExportTexts, chatExportTexts);
  const { stage, choose, save } = useOpenExport();
  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => open || onClose()}
      // An alert dialog does not close on an outside press, which would lose a running export.
      role={stage.at === 'running' ? 'alert' : 'dialog'}
      title={t('openExport:open')}
      {...((stage.at === 'choosing' || stage.at === 'checking') && { description: t('openExport:description') })}
      footer={<Footer stage={stage} choose={choose} save={save} onClose={onClose} />}
    >
      <StageText stage={stage} />
    </Dialog>
  );
}

type FooterProps = ReturnType<typeof useOpenExport> & { onClose: () => void };

function Footer({ stage, choose, save, onClose }: FooterProps) {
  const { t } = useTexts(openExportTexts, chatExportTexts);
  const picker = useRef<HTMLInputElement>(null);
  if (stage.at === 'running' || stage.at === 'done') {
    return (
      <Button kind="secondary" onClick={onClose}>
        {t(stage.at === 'done' ? 'common.close' : 'chatExport:stop')}
      </Button>
    );
  }
  if (stage.at === 'checked') {
    return (
      <Button icon={<Save aria-hidden="true" />} onClick={() => void save(stage.file)}>
        {t('openExport:save')}
      </Button>
    );
  }
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".zip,application/zip"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void choose(file);
          target.value = '';
        }}
      />
      <Button
        icon={<FolderOpen aria-hidden="true" />}
        busy={stage.at === 'checking'}
        onClick={() => picker.current?.click()}
      >
        {t('openExport:choose')}
      </Button>
    </>
  );
}

function StageText({ stage }: { stage: OpenExportStage }) {
  const { t } = useTexts(openExportTexts, chatExportTexts);
  const explain = useExplainFailure();
  switch (stage.at) {
    case 'choosing':
    case 'checking':
      return <p className="text-13 text-muted">{t('openExport:leftOut')}</p>;
    case 'checked':
      return (
        <div role="status" className="text-14">
          <p className="font-medium break-words">
            <bdi>{stage.name}</bdi>
          </p>
          <p className="text-13 text-muted">{t('openExport:leftOut')}</p>
        </div>
      );
    case 'running': {
      const percent = Math.floor(stage.share * 100);
      return (
        <Meter
          label={t('openExport:running')}
          text={`${percent} %`}
          hint={t('chatExport:keepOpen')}
          used={percent}
          limit={100}
          fills
        />
      );
    }
    case 'done':
      return <Result result={stage.result} />;
    case 'failed':
      return (
        <div role="alert" className="text-14">
          <p className="font-medium">{t('openExport:failed')}</p>
          <p className="text-13 text-danger-text">
            {stage.error instanceof ExportFileError
              ? t(`openExport:problems.${stage.error.code}`)
              : explain(stage.error)}
          </p>
        </div>
      );
  }
}

function Result({ result: { messages, unopened, missing } }: { result: AccountExportResult }) {
  const { t } = useTexts(openExportTexts, chatExportTexts);
  return (
    <div role="status" className="text-14">
      <p className="font-medium">{t('openExport:done')}</p>
      <p className="text-13 text-muted">{t('chatExport:counted', { count: messages })}</p>
      {unopened > 0 && (
        <p className="mt-2 text-13 text-warning-text">{t('chatExport:unopenedCount', { count: unopened })}</p>
      )}
      {missing > 0 && <p className="mt-2 text-13 text-warning-text">{t('chatExport:missing', { count: missing })}</p>}
    </div>
  );
}
