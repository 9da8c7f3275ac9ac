import { Anchor } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './back-link.module.css';

interface BackLinkProps {
  readonly href: string;
  readonly onClick?: (event: MouseEvent) => void;
  readonly children: ReactNode;
}

/** Leads from a screen to the list above it. */
export function BackLink({ href, onClick, children }: BackLinkProps) {
  return (
    <Anchor component={Link} href={href} onClick={onClick} size="sm" className={classes.back}>
      <ArrowLeft size={16} aria-hidden />
      {children}
    </Anchor>
  );
}
