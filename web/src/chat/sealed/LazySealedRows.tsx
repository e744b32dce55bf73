import { Suspense } from 'react';
import { lazyOptional } from '../../ui/lazyComponents.tsx';
import type { RowRunLineProps } from './RowRunLine.tsx';
import type { SealedLinesProps } from './SealedLines.tsx';

const Lines = lazyOptional(async () => (await import('./SealedLines.tsx')).SealedLines, LinesSpace);
const RunLine = lazyOptional(async () => (await import('./RowRunLine.tsx')).RowRunLine, RunSpace);

/** Heights of one line of each kind in pixels, before the code that shows it is loaded. */
const [noticeHeight, lineHeight, runHeight] = [68, 26, 26];

function LinesSpace({ lines }: SealedLinesProps) {
  const heights = lines.map(({ change }) => (change.kind === 'encrypted' ? noticeHeight : lineHeight));
  return <div style={{ height: heights.reduce((sum, height) => sum + height, 0) }} />;
}

function RunSpace() {
  return <div style={{ height: runHeight }} />;
}

/** Lines of a sealed conversation. Only these conversations load their code. */
export function LazySealedLines(props: SealedLinesProps) {
  return (
    <Suspense fallback={<LinesSpace {...props} />}>
      <Lines {...props} />
    </Suspense>
  );
}

/** Line in place of rows of a sealed conversation that are not shown. */
export function LazyRowRunLine(props: RowRunLineProps) {
  return (
    <Suspense fallback={<RunSpace />}>
      <RunLine {...props} />
    </Suspense>
  );
}
