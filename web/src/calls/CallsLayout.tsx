import { Outlet, useParams } from 'react-router-dom';
import { ChatsOrCallsSwitch } from '../shell/ChatsOrCallsSwitch.tsx';
import { Panes } from '../shell/Panes.tsx';
import { ScreenHeader } from '../shell/ScreenHeader.tsx';
import { useDocumentTitle } from '../shell/routeHandle.ts';
import { CallList } from './CallList.tsx';
import { useCallTexts } from './useCallTexts.ts';

/** Page `/calls`: the list of calls at the start edge, and the details of one next to it. */
export function CallsLayout() {
  const { t } = useCallTexts();
  const { id } = useParams();
  useDocumentTitle(t('calls.listTitle'));
  return (
    <Panes
      list={
        <>
          <ScreenHeader title={t('calls.listTitle')} />
          <ChatsOrCallsSwitch />
          <div className="min-h-0 flex-1 overflow-y-auto pb-4">
            <CallList />
          </div>
        </>
      }
      content={<Outlet />}
      contentOpen={id !== undefined}
    />
  );
}
