import { Navigate, useLocation } from 'react-router-dom';
import { useStore } from 'zustand';
import { configStore } from '../../session/config.ts';
import { useSelf } from '../../session/self.ts';
import { NotFoundScreen } from '../../shell/NotFoundScreen.tsx';
import { parseDemoSecondWindowHash } from './demoSecondWindow.ts';

/** Handles the same address if the second window is already signed in: continues to the conversation. */
export function DemoSecondPersonRedirect() {
  const self = useSelf();
  const { hash } = useLocation();
  const demo = useStore(configStore, ({ config }) => config?.demoMode === true);
  const secondWindow = parseDemoSecondWindowHash(hash);
  if (!demo || secondWindow === null) return <NotFoundScreen />;
  return <Navigate to={secondWindow.withId === self.id ? '/' : `/chat/${secondWindow.withId}`} replace />;
}
