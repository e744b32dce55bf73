import { Navigate, useLocation } from 'react-router-dom';
import { useStore } from 'zustand';
import { configStore } from '../../session/config.ts';
import { useSelf } from '../../session/self.ts';
import { NotFoundScreen } from '../../shell/NotFoundScreen.tsx';
import { readSecondWindow } from './secondWindow.ts';

/** The same address for whom the second window remembers: on to the conversation. */
export function SecondPersonHere() {
  const self = useSelf();
  const { hash } = useLocation();
  const demo = useStore(configStore, ({ config }) => config?.demoMode === true);
  const asked = readSecondWindow(hash);
  if (!demo || asked === null) return <NotFoundScreen />;
  return <Navigate to={asked.withId === self.id ? '/' : `/chat/${asked.withId}`} replace />;
}
