/** Everything that is loaded together with this section. */
export { AdminScreen } from './AdminScreen.tsx';
