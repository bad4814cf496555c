import type { Token, Tokens } from 'marked';
import type { ReactNode } from 'react';
import { visibleText } from '../../ui/visible-text.ts';
import { keyed } from './blocks.ts';
import { safeLink } from './safe-link.ts';

export function Inline({ tokens }: { tokens: readonly Token[] }) {
  return keyed(tokens).map(({ key, piece }) => <InlineOf key={key} token={piece} />);
}

function InlineOf({ token }: { token: Token }): ReactNode {
  switch (token.type) {
    case 'strong':
      return (
        <strong>
          <Inline tokens={(token as Tokens.Strong).tokens} />
        </strong>
      );
    case 'em':
      return (
        <em>
          <Inline tokens={(token as Tokens.Em).tokens} />
        </em>
      );
    case 'del':
      return (
        <del>
          <Inline tokens={(token as Tokens.Del).tokens} />
        </del>
      );
    case 'codespan':
      return <code>{visibleText((token as Tokens.Codespan).text)}</code>;
    case 'br':
      return <br />;
    case 'link': {
      const { href, tokens } = token as Tokens.Link;
      return (
        <SafeLink href={href}>
          <Inline tokens={tokens} />
        </SafeLink>
      );
    }
    // Nothing is fetched from elsewhere because a message says so.
    case 'image': {
      const { href, text } = token as Tokens.Image;
      return <SafeLink href={href}>{text || href}</SafeLink>;
    }
    // Its item shows it.
    case 'checkbox':
      return null;
    case 'escape':
      return (token as Tokens.Escape).text;
    case 'text': {
      const { tokens, text } = token as Tokens.Text;
      return tokens ? <Inline tokens={tokens} /> : unescaped(text);
    }
    default:
      return token.raw;
  }
}

function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  const url = safeLink(href);
  if (url === null) return children;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** In Markdown an entity stands for its character; the lexer leaves that to whoever writes HTML. */
function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_whole, name: string) => ENTITIES[name] ?? '');
}
