import { Upload } from 'lucide-react';
import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

export interface FileDropAreaProps {
  /** Recipient of dropped files. */
  name: string;
  /** Null if sending is not allowed. */
  onFiles: ((files: readonly File[]) => void) | null;
  children: ReactNode;
}

const bringsFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

export function FileDropArea({ name, onFiles, children }: FileDropAreaProps) {
  const { t } = useTexts(conversationTexts);
  const [over, setOver] = useState(false);
  /* Entering a child also leaves its parent, so nested entries are counted. */
  const depth = useRef(0);
  const end = (): void => {
    depth.current = 0;
    setOver(false);
  };
  return (
    <div
      className="relative flex min-h-0 flex-1 flex-col"
      onDragEnter={(event) => {
        if (!onFiles || !bringsFiles(event)) return;
        event.preventDefault();
        depth.current += 1;
        setOver(true);
      }}
      onDragOver={(event) => {
        if (!bringsFiles(event)) return;
        // The default is prevented even if sending is not allowed. Otherwise the browser would open the file in place
        // of the app.
        event.preventDefault();
        event.dataTransfer.dropEffect = onFiles ? 'copy' : 'none';
      }}
      onDragLeave={(event) => {
        if (!onFiles || !bringsFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) end();
      }}
      onDrop={(event) => {
        if (!bringsFiles(event)) return;
        event.preventDefault();
        end();
        onFiles?.([...event.dataTransfer.files]);
      }}
    >
      {children}
      {over && (
        <div
          role="status"
          className="pointer-events-none absolute inset-2 z-20 flex animate-fade-in flex-col items-center justify-center gap-3 rounded-card border-2 border-dashed border-accent bg-[color-mix(in_srgb,var(--nolo-panel)_88%,transparent)] text-16 font-semibold text-accent-text"
        >
          <Upload aria-hidden="true" className="size-8" />
          {t('conversation:drop', { name })}
        </div>
      )}
    </div>
  );
}
