import type { Dictionary } from './dictionary.ts';

/**
 * The reader is “você”. An app is “aplicativo”, access “acesso”, a booking “agendamento”, an event
 * type “tipo de evento”, a passkey “chave de acesso”. People “entram” and “saem”.
 */
export const portuguese = {
  // The frame of all pages:
  'Skip to content': 'Ir para o conteúdo',
  'Error:': 'Erro:',
  'API documentation': 'Documentação da API',
  Language: 'Idioma',
  'Change language': 'Mudar idioma',
  Main: 'Principal',
  Menu: 'Menu',
  Account: 'Conta',
  Docs: 'Documentação',
  'Sign in': 'Entrar',
  'Sign out': 'Sair',
  waiting: 'pendentes',
  'Go to home': 'Ir para o início',
  Settings: 'Configurações',
  'All settings': 'Todas as configurações',
  Admin: 'Administração',
  Profile: 'Perfil',
  Sessions: 'Sessões',
  'Account activity': 'Atividade da conta',
  'Your data': 'Seus dados',
  People: 'Pessoas',
  Teams: 'Equipes',
  Organization: 'Organização',
  Overview: 'Visão geral',
  Accounts: 'Contas',
  'Audit log': 'Registro de auditoria',
  'Outgoing email': 'E-mails enviados',
  Apps: 'Aplicativos',
  Developer: 'Desenvolvedores',
  'Connected apps': 'Aplicativos conectados',
  'Your apps': 'Seus aplicativos',
  Review: 'Revisão',
  Security: 'Segurança',
  'Personal tokens': 'Tokens pessoais',
  Scheduling: 'Agendamento',
  Bookings: 'Agendamentos',
  'Event types': 'Tipos de evento',
  Availability: 'Disponibilidade',
  Calendars: 'Calendários',
  Webhooks: 'Webhooks',
  // Sign-in and sign-up:
  'Email address': 'E-mail',
  Password: 'Senha',
  Name: 'Nome',
  'Sign in with a passkey': 'Entrar com uma chave de acesso',
  'Forgot your password?': 'Esqueceu sua senha?',
  'New here?': 'Novo por aqui?',
  'Create an account': 'Criar uma conta',
  'Create account': 'Criar conta',
  'Already have an account?': 'Já tem uma conta?',
  'The first account administers this installation: create yours now.':
    'A primeira conta administra esta instalação: crie a sua agora.',
  'Sign-ups are closed. Ask your administrator for an account.':
    'Os cadastros estão fechados. Peça uma conta ao seu administrador.',
  'At least 10 characters. A few random words work well.':
    'Pelo menos 10 caracteres. Algumas palavras aleatórias funcionam bem.',
  'Sign in to continue to {app}': 'Entre para continuar para {app}',
  'Create an account to continue to {app}': 'Crie uma conta para continuar para {app}',
  'Enter your password to continue to {app}': 'Digite sua senha para continuar para {app}',
  'Reset your password to continue to {app}': 'Redefina sua senha para continuar para {app}',
  'Sign in to continue to the app.': 'Entre para continuar para o aplicativo.',
  'Create an account to continue to the app.': 'Crie uma conta para continuar para o aplicativo.',
  'Enter your password to continue to the app.': 'Digite sua senha para continuar para o aplicativo.',
  'Reset your password to continue to the app.': 'Redefina sua senha para continuar para o aplicativo.',
  'Sign in to continue.': 'Entre para continuar.',
  'Create an account to continue.': 'Crie uma conta para continuar.',
  'Enter your password to continue.': 'Digite sua senha para continuar.',
  'Reset your password to continue.': 'Redefina sua senha para continuar.',
  'Sign in to answer your invitation.': 'Entre para responder ao seu convite.',
  'Create an account to answer your invitation.': 'Crie uma conta para responder ao seu convite.',
  'Enter your password to answer your invitation.': 'Digite sua senha para responder ao seu convite.',
  'Reset your password to answer your invitation.': 'Redefina sua senha para responder ao seu convite.',
  'You’re signed in': 'Você entrou',
  Continue: 'Continuar',
  'Your account is suspended': 'Sua conta está suspensa',
  'An admin suspended it for this reason:': 'Um administrador a suspendeu por este motivo:',
  'You can’t sign in, and your apps and public pages don’t work. If you think this is a mistake, contact the people who run this service.':
    'Você não pode entrar, e seus aplicativos e páginas públicas não funcionam. Se achar que é um engano, fale com os responsáveis por este serviço.',
  'Incorrect email or password.': 'E-mail ou senha incorretos.',
  'Incorrect password.': 'Senha incorreta.',
  'Too many sign-ins to this account.': 'Muitas entradas nesta conta.',
  'Too many failed sign-ins.': 'Muitas tentativas de entrada malsucedidas.',
  'Too many incorrect passwords.': 'Muitas senhas incorretas.',
  'If you can’t wait, reset your password.': 'Se não puder esperar, redefina sua senha.',
  'Try again in a minute.': 'Tente novamente em um minuto.',
  'Try again in {minutes} {minutes|minute|minutes}.':
    'Tente novamente em {minutes} {minutes|minuto|minutos}.',
  'Too many accounts were created from your network.': 'Muitas contas foram criadas a partir da sua rede.',
  'An account with this email already exists. Sign in instead.':
    'Já existe uma conta com este e-mail. Entre nela.',
  'This password is easy to guess. Use a few unrelated words, and not your email or username.':
    'Esta senha é fácil de adivinhar. Use algumas palavras sem relação entre si, e não seu e-mail nem seu nome de usuário.',
  'Your browser didn’t keep the cookie that signs you in. Allow cookies for this site, then sign in again.':
    'Seu navegador não guardou o cookie que mantém você conectado. Permita cookies para este site e entre novamente.',
  'You were signed out, so this form wasn’t saved. Fill it in again.':
    'Sua sessão foi encerrada, então este formulário não foi salvo. Preencha-o novamente.',
  'You confirmed it’s you. Nothing was changed yet, so send this form again.':
    'Você confirmou que é você. Nada foi alterado ainda: envie este formulário novamente.',
  // Forgotten passwords:
  'We’ll email you a link to choose a new one.': 'Enviaremos por e-mail um link para você escolher uma nova.',
  'Email me a link': 'Enviar link por e-mail',
  'No mail server is set up here, so we can’t send you a link. Ask your administrator.':
    'Não há servidor de e-mail configurado aqui, então não podemos enviar um link. Fale com seu administrador.',
  'Back to sign in': 'Voltar para a entrada',
  'Check your email': 'Verifique seu e-mail',
  'Email isn’t set up': 'O e-mail não está configurado',
  'If there’s an account with this email address, we’ve sent it a link. The link works for 30 minutes.':
    'Se houver uma conta com este e-mail, enviamos um link para ele. O link funciona por 30 minutos.',
  'Nothing there after a few minutes? Look in your spam folder, or check the address and [try again]. You can request up to three emails every 30 minutes.':
    'Nada depois de alguns minutos? Olhe na pasta de spam, ou confira o endereço e [tente novamente]. Você pode pedir até três e-mails a cada 30 minutos.',
  'Too many password reset requests': 'Muitos pedidos de redefinição de senha',
  'They came from your network.': 'Eles vieram da sua rede.',
  'Choose a new password': 'Escolha uma nova senha',
  'For the account {email}. You’ll be signed out everywhere else.':
    'Para a conta {email}. Sua sessão será encerrada em todos os outros lugares.',
  'New password': 'Nova senha',
  'Keep what’s in this account': 'Manter o que há nesta conta',
  'Keep {things}': 'Manter: {things}',
  'Otherwise {consequences}. Select this only if no one else may have used your account.':
    'Caso contrário: {consequences}. Selecione isto somente se ninguém mais puder ter usado sua conta.',
  'Someone else may have signed up with your address. Otherwise {things} end. Select this only if you created the account yourself.':
    'Outra pessoa pode ter se cadastrado com seu endereço. Caso contrário, o seguinte será encerrado: {things}. Selecione isto somente se você mesmo criou a conta.',
  'Set new password': 'Definir nova senha',
  apps: 'aplicativos',
  webhooks: 'webhooks',
  'personal tokens': 'tokens pessoais',
  'the chosen calendar': 'o calendário escolhido',
  calendars: 'calendários',
  teams: 'equipes',
  'connected apps, the account’s own apps': 'aplicativos conectados, aplicativos da própria conta',
  'open invitations of owners and admins are withdrawn':
    'os convites abertos de proprietários e administradores são cancelados',
  'every app loses its access and needs your permission again':
    'todos os aplicativos perdem o acesso e precisam da sua permissão novamente',
  'your personal tokens end': 'seus tokens pessoais são encerrados',
  'webhooks are turned off': 'os webhooks são desativados',
  'bookings are no longer written to a calendar': 'os agendamentos deixam de ser gravados em um calendário',
  'This link doesn’t work': 'Este link não funciona',
  'This link has expired or was already used.': 'Este link expirou ou já foi usado.',
  'Request a new link': 'Pedir um novo link',
  // Verification:
  'Verify your email to continue': 'Confirme seu e-mail para continuar',
  'We need to know that {email} is your address. Open the link that we emailed to you when you signed up, or get a new one. Then you come back to this step.':
    'Precisamos saber que {email} é o seu endereço. Abra o link que enviamos por e-mail quando você se cadastrou, ou peça um novo. Depois você volta a esta etapa.',
  'Not your address?': 'Não é o seu endereço?',
  'Change email address': 'Alterar e-mail',
  'Verify email address': 'Confirmar e-mail',
  'Change your email address': 'Altere seu e-mail',
  'Verify your email address': 'Confirme seu e-mail',
  'Send new link': 'Enviar novo link',
  'We’ve sent a link to {email}. Open it in this browser to verify your address. It works once, for 24 hours.':
    'Enviamos um link para {email}. Abra-o neste navegador para confirmar seu endereço. Ele funciona uma vez, por 24 horas.',
  'Nothing there after a few minutes? Look in your spam folder, or get a new link.':
    'Nada depois de alguns minutos? Olhe na pasta de spam, ou peça um novo link.',
  'We’ve sent you an email. Open its link in this browser to verify your address and sign in. It works once, for 24 hours.':
    'Enviamos um e-mail para você. Abra o link dele neste navegador para confirmar seu endereço e entrar. Ele funciona uma vez, por 24 horas.',
  'Nothing there after a few minutes? Look in your spam folder, or sign in to get a new link.':
    'Nada depois de alguns minutos? Olhe na pasta de spam, ou entre para pedir um novo link.',
  'Your account will use {email}. You sign in with this address from then on.':
    'Sua conta passará a usar {email}. A partir de então, você entra com este endereço.',
  'You use {email} for your account.': 'Você usa {email} na sua conta.',
  'This link isn’t for the account of {email}. Sign out, and sign in with the account that asked for the link.':
    'Este link não é para a conta de {email}. Saia e entre com a conta que pediu o link.',
  'Sign in with your current address to change it to {email}.':
    'Entre com seu endereço atual para alterá-lo para {email}.',
  'If you didn’t ask for this, close this page: nothing is changed.':
    'Se você não pediu isto, feche esta página: nada será alterado.',
  'Sign in to verify {email}. That way nobody else can set up an account with your address.':
    'Entre para confirmar {email}. Assim, ninguém mais pode criar uma conta com seu endereço.',
  'If you don’t know the password, [reset it]: this verifies your address, too. If you didn’t sign up, close this page: without you, the account can’t do anything.':
    'Se você não sabe a senha, [redefina-a]: isso também confirma seu endereço. Se você não se cadastrou, feche esta página: sem você, a conta não pode fazer nada.',
  'We’ve sent you several links already: use the newest one.':
    'Já enviamos vários links: use o mais recente.',
  'Too many emails': 'E-mails demais',
  'This link has expired, was already used, or was replaced by a newer one.':
    'Este link expirou, já foi usado ou foi substituído por um mais recente.',
  'Go to your profile': 'Ir para seu perfil',
  // Confirmation and passkeys:
  'Confirm it’s you': 'Confirme que é você',
  'You signed in a while ago. Before you {act}, enter your password again.':
    'Você entrou há algum tempo. Para continuar, digite sua senha novamente ({act}).',
  Confirm: 'Confirmar',
  'Use your passkey instead': 'Usar sua chave de acesso',
  'make a sensitive change': 'fazer uma alteração sensível',
  'give {app} full access to your account': 'dar a {app} acesso total à sua conta',
  'give {app} access to your account': 'dar a {app} acesso à sua conta',
  'change your email address': 'alterar seu e-mail',
  'change your password': 'alterar sua senha',
  'download your data': 'baixar seus dados',
  'delete your account': 'excluir sua conta',
  'delete an app': 'excluir um aplicativo',
  'add a client secret': 'adicionar um segredo do cliente',
  'change how you sign in': 'alterar como você entra',
  'create a personal token': 'criar um token pessoal',
  'Use your passkey': 'Use sua chave de acesso',
  'Use passkey': 'Usar chave de acesso',
  'Passkeys need JavaScript and a browser that supports them.':
    'Chaves de acesso precisam de JavaScript e de um navegador compatível.',
  'Your browser didn’t use a passkey. Try again.':
    'Seu navegador não usou uma chave de acesso. Tente novamente.',
  'Your password is right. Confirm with one of your passkeys.':
    'Sua senha está correta. Confirme com uma das suas chaves de acesso.',
  'Your browser shows the passkeys you have for {service}.':
    'Seu navegador mostra as chaves de acesso que você tem para {service}.',
  'No passkey at hand?': 'Sem uma chave de acesso à mão?',
  'Recovery code': 'Código de recuperação',
  'You saved 10 of them when you added your first passkey.':
    'Você salvou 10 deles quando adicionou sua primeira chave de acesso.',
  'Use recovery code': 'Usar código de recuperação',
  'Start over': 'Recomeçar',
  'Use your password instead': 'Usar sua senha',
  'Enter a recovery code.': 'Digite um código de recuperação.',
  'This recovery code is wrong, or was used before.':
    'Este código de recuperação está errado ou já foi usado.',
  'Your browser didn’t send a passkey. Try again.':
    'Seu navegador não enviou uma chave de acesso. Tente novamente.',
  'This passkey didn’t work. Try again, or use another one.':
    'Esta chave de acesso não funcionou. Tente novamente ou use outra.',
  'Your password alone doesn’t sign you in': 'Só a sua senha não basta para entrar',
  'Your account has a passkey, and this service has turned passkeys off. Ask the people who run it to turn them on again, or to remove your passkeys.':
    'Sua conta tem uma chave de acesso, e este serviço desativou as chaves de acesso. Peça aos responsáveis que as ativem novamente ou que removam as suas.',
  // The frame of all emails:
  'You get this email because of your {app} account. If you didn’t expect it, sign in and look at your settings.':
    'Você recebeu este e-mail por causa da sua conta no {app}. Se não o esperava, entre e confira suas configurações.',
  'Code: {code}': 'Código: {code}',
  'Or open': 'Ou abra',
  // What is wrong with a form:
  'Enter an email address.': 'Digite um e-mail.',
  'Enter a valid email address.': 'Digite um e-mail válido.',
  'Use an address without “+” and 25 letters or digits before the @.':
    'Use um endereço sem “+” e 25 letras ou dígitos antes do @.',
  'Enter a password.': 'Digite uma senha.',
  'Enter your password.': 'Digite sua senha.',
  'Enter your name.': 'Digite seu nome.',
  'Use at least {number} characters.': 'Use pelo menos {number} caracteres.',
  'Use at most {number} characters.': 'Use no máximo {number} caracteres.',
  'The NUL character isn’t allowed.': 'O caractere NUL não é permitido.',
  'Line breaks and control characters aren’t allowed.':
    'Quebras de linha e caracteres de controle não são permitidos.',
  'Control characters aren’t allowed.': 'Caracteres de controle não são permitidos.',
  'Remove characters that change the text direction.': 'Remova os caracteres que mudam a direção do texto.',
  'Use visible characters.': 'Use caracteres visíveis.',
  // Pages that say what went wrong:
  'This page is out of date': 'Esta página está desatualizada',
  'You’ve signed in again since you opened it, so nothing was saved. Open the page again and retry.':
    'Você entrou de novo depois de abri-la, então nada foi salvo. Abra a página novamente e tente outra vez.',
  'Open the page again': 'Abrir a página novamente',
  'This form came from another site': 'Este formulário veio de outro site',
  'For your safety, nothing was changed. Open the page here and try again.':
    'Para sua segurança, nada foi alterado. Abra a página aqui e tente novamente.',
  'Page not found': 'Página não encontrada',
  'The link may be wrong, or the page was removed.': 'O link pode estar errado ou a página foi removida.',
  'We’ll be back in a moment': 'Voltamos em instantes',
  'Try again in a few seconds.': 'Tente novamente em alguns segundos.',
  'Too many requests': 'Solicitações demais',
  'They came from your network. Nothing was changed. Try again in a few seconds.':
    'Elas vieram da sua rede. Nada foi alterado. Tente novamente em alguns segundos.',
  'You, your apps or your network have asked for too much. Nothing was changed. Try again in a minute.':
    'Você, seus aplicativos ou sua rede fizeram solicitações demais. Nada foi alterado. Tente novamente em um minuto.',
  'Something went wrong': 'Algo deu errado',
  'It’s our fault. Try again.': 'A falha é nossa. Tente novamente.',
  'This request couldn’t be read': 'Não foi possível ler esta solicitação',
  'Nothing was changed. Go back and try again.': 'Nada foi alterado. Volte e tente novamente.',
  'Too many changes': 'Alterações demais',
  'You have made too many changes in one day. Nothing was changed. Try again tomorrow.':
    'Você fez alterações demais em um dia. Nada foi alterado. Tente novamente amanhã.',
  'You or your network have sent too many emails through us. Nothing was changed. Try again in an hour.':
    'Você ou sua rede enviaram e-mails demais por nosso intermédio. Nada foi alterado. Tente novamente em uma hora.',
  'This booking changed too often, or you or your network changed too many. Nothing was changed. You can still cancel it. Try again later.':
    'Este agendamento mudou muitas vezes, ou você ou sua rede alteraram muitos. Nada foi alterado. Você ainda pode cancelá-lo. Tente novamente mais tarde.',
} as const satisfies Dictionary;
