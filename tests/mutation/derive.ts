import { ts } from '@ts-morph/common';

/** What is there instead of the text between two places of a source. */
export interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const { SyntaxKind } = ts;
const comparisons = [
  ...[SyntaxKind.EqualsEqualsEqualsToken, SyntaxKind.ExclamationEqualsEqualsToken, SyntaxKind.LessThanToken],
  ...[SyntaxKind.LessThanEqualsToken, SyntaxKind.GreaterThanToken, SyntaxKind.GreaterThanEqualsToken],
];

const isJoined = (node: ts.Node, kinds: readonly ts.SyntaxKind[]): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && kinds.includes(node.operatorToken.kind);
const isLogical = (node: ts.Node): node is ts.BinaryExpression =>
  isJoined(node, [SyntaxKind.AmpersandAmpersandToken, SyntaxKind.BarBarToken]);
const isNot = (node: ts.Node): boolean =>
  ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken;
const isCondition = (node: ts.Node): boolean =>
  isLogical(node) ||
  isNot(node) ||
  isJoined(node, comparisons) ||
  (ts.isIfStatement(node.parent) && node.parent.expression === node);

/** What is joined to another condition is dropped instead of decided. */
const isOperand = ({ parent }: ts.Node): boolean =>
  isLogical(parent) || isNot(parent) || (ts.isParenthesizedExpression(parent) && isOperand(parent));

function membersOf(node: ts.Node): readonly ts.Node[] {
  if (ts.isCallExpression(node)) return node.arguments;
  if (ts.isArrayLiteralExpression(node)) return node.elements;
  return ts.isObjectLiteralExpression(node) ? node.properties : [];
}

/** How the line from `from` to `to` can be without what it does; the first kind that it has anything of counts. */
export function deriveChanges(file: ts.SourceFile, from: number, to: number): readonly Change[] {
  const first = from + file.text.slice(from, to).search(/\S/);
  const begins = (node: ts.Node): boolean => node.getStart(file) >= from && node.getStart(file) <= to;
  const leads = (node: ts.Node): boolean => node.getStart(file) === first;
  const change = (node: ts.Node, text: string): Change => ({
    start: node.getStart(file),
    end: node.end,
    text,
  });
  const keep = (node: ts.Node, ...kept: readonly ts.Node[]): readonly Change[] =>
    kept.map((one) => change(node, one.getText(file)));
  /** A member goes with one of its commas. */
  const drop = (members: readonly ts.Node[], isMeant: (member: ts.Node) => boolean): readonly Change[] =>
    members.flatMap((member, index) => {
      if (!isMeant(member)) return [];
      const [before, next] = [members[index - 1], members[index + 1]];
      const start = next === undefined ? (before?.end ?? member.getStart(file)) : member.getStart(file);
      return [{ start, end: next?.getStart(file) ?? member.end, text: '' }];
    });

  const kinds: readonly ((node: ts.Node) => readonly Change[])[] = [
    // Each condition of a statement of SQL is dropped.
    (node) =>
      ts.isCallExpression(node) && node.expression.getText(file) === 'and' && node.arguments.length > 1
        ? drop(node.arguments, begins)
        : [],
    // A statement that begins the line never runs.
    (node) =>
      leads(node) && (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) ? [change(node, ';')] : [],
    // An argument, element, property or call that begins the line is gone.
    (node) => drop(membersOf(node), leads),
    (node) =>
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.getStart(file) - 1 === first
        ? keep(node, node.expression.expression)
        : [],
    // A condition is true, and false, and lacks each of its operands.
    (node) => [
      ...(begins(node) && isCondition(node) && !isOperand(node)
        ? [change(node, 'true'), change(node, 'false')]
        : []),
      ...(isLogical(node) && begins(node.left) ? keep(node, node.right) : []),
      ...(isLogical(node) && begins(node.right) ? keep(node, node.left) : []),
      ...(ts.isConditionalExpression(node) && [node.condition, node.whenTrue, node.whenFalse].some(begins)
        ? keep(node, node.whenTrue, node.whenFalse)
        : []),
    ],
    // A number is a thousand times as large, and what is on is off.
    (node) => {
      if (!begins(node)) return [];
      if (ts.isNumericLiteral(node)) return [change(node, `${node.getText(file)} * 1000`)];
      if (node.kind === SyntaxKind.TrueKeyword) return [change(node, 'false')];
      return node.kind === SyntaxKind.FalseKeyword ? [change(node, 'true')] : [];
    },
    (node) =>
      begins(node) && isJoined(node, [SyntaxKind.QuestionQuestionToken])
        ? keep(node, node.left, node.right)
        : [],
    // Each member within the line is gone, and a call is what it is called with, or on.
    (node) => {
      const dropped = drop(membersOf(node), begins);
      if (!ts.isCallExpression(node) || !begins(node)) return dropped;
      const [argument] = node.arguments;
      const asked = ts.isPropertyAccessExpression(node.expression) ? [node.expression.expression] : [];
      return [...dropped, ...keep(node, ...(argument === undefined ? [] : [argument]), ...asked)];
    },
    (node) =>
      begins(node) && ts.isReturnStatement(node) && node.expression !== undefined
        ? [change(node.expression, 'undefined')]
        : [],
  ];
  const nodes: ts.Node[] = [];
  const collect = (node: ts.Node): void => {
    if (node.end < from || node.getStart(file) > to) return;
    nodes.push(node);
    ts.forEachChild(node, collect);
  };
  ts.forEachChild(file, collect);
  return kinds.map((kind) => nodes.flatMap(kind)).find((changes) => changes.length > 0) ?? [];
}
