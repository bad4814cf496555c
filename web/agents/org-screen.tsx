export default function OrgScreen(props: { ws: string }) {
  return <h1>OrgScreen {JSON.stringify(props)}</h1>;
}
