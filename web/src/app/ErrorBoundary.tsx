import { Component, type ReactNode } from 'react';
import { forgetFailures } from './part.ts';

interface Props {
  /** The current address: an error belongs to the page it happened on, and another page starts afresh. */
  address: string;
  children: ReactNode;
  broken: (error: unknown, again: () => void) => ReactNode;
}

interface State {
  fault: { error: unknown } | undefined;
}

/** Error boundary: a page that fails shows an error in its place; header and player keep working. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { fault: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { fault: { error } };
  }

  override componentDidCatch(): void {
    forgetFailures();
  }

  override componentDidUpdate({ address }: Props): void {
    if (address !== this.props.address && this.state.fault) this.setState({ fault: undefined });
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (!fault) return this.props.children;
    return this.props.broken(fault.error, () => this.setState({ fault: undefined }));
  }
}
