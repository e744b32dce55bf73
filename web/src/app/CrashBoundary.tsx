import { Component, type ReactNode } from 'react';
import { CrashScreen } from '../shell/CrashScreen.tsx';

/** Catches unexpected errors, so that a fault in one place never leaves an empty page. */
export class CrashBoundary extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError(): { crashed: boolean } {
    return { crashed: true };
  }

  override render(): ReactNode {
    return this.state.crashed ? <CrashScreen /> : this.props.children;
  }
}
